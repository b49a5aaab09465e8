/** Runs the benchmarks named on the command line: `npm run bench -- tools`; without a name, the comparison with peers. Options go to the benchmark. */
const all = [
  "compare",
  "tools",
  "search",
  "jobs",
  "service",
  "retrieval",
  "deep",
  "agents",
  "walks",
  "cli-start",
  "mcp-start",
  "ingest",
  "speech",
  "team",
];
const words = process.argv.slice(2);
const options = words.findIndex((word) => word.startsWith("--"));
const wanted = options < 0 ? words : words.slice(0, options);
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(", ")}. There are: ${all.join(", ")}.`);
  process.exit(2);
}
for (const name of wanted.length > 0 ? wanted : ["compare"]) {
  console.log(`# ${name}`);
  await import(`./${name}.ts`);
}
