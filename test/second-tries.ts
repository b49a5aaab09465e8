import type { Reporter, TestCase } from "vitest/node";

/** Names every test that passed only at its second try, which CI allows: each is a race to be corrected. */
class SecondTries implements Reporter {
  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return;
    process.stdout.write(
      `Needed a second try: ${test.module.relativeModuleId} > ${test.fullName}\n`,
    );
    for (const error of test.result().errors ?? [])
      process.stdout.write(`${error.stack ?? error.message}\n`);
  }
}

const isCI = process.env["CI"] !== undefined;

/** What every suite but the kills and the faults has in common: those must pass at the first try. */
export const secondTries = {
  retry: isCI ? 1 : 0,
  reporters: isCI ? ["default", new SecondTries()] : ["default"],
};
