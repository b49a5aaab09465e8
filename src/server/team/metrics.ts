import type { Postgres } from "../../storage/postgres/postgres.ts";

/** Upper bounds in seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The type that Prometheus asks for. */
export const METRICS_TYPE = "text/plain; version=0.0.4; charset=utf-8";

interface Durations {
  readonly counts: number[];
  count: number;
  sum: number;
}

/** What is shown besides the requests. */
export interface Gauges {
  readonly openVaults: number;
  readonly isListening: boolean;
  readonly database: Postgres;
}

/** Counts what a replica does, and shows it in the text format of Prometheus. No name of a vault, file or person is in it. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  readonly #durations = new Map<string, Durations>();

  /** @param kind which part of the service answered: `api`, `mcp`, `page` */
  observe(kind: string, status: number, seconds: number): void {
    const key = `{kind="${kind}",status="${status}"}`;
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1);
    const durations = this.#durations.get(kind) ?? {
      counts: BUCKETS.map(() => 0),
      count: 0,
      sum: 0,
    };
    this.#durations.set(kind, durations);
    durations.count += 1;
    durations.sum += seconds;
    for (const [at, bound] of BUCKETS.entries())
      if (seconds <= bound) durations.counts[at] = (durations.counts[at] ?? 0) + 1;
  }

  async text({ openVaults, isListening, database }: Gauges): Promise<string> {
    const { total, idle, waiting } = database.connections;
    const memory = process.memoryUsage();
    const lines = [
      ...this.#requestLines(),
      ...gauge("coffre_open_vaults", "Vaults that this replica has open.", openVaults),
      ...gauge(
        "coffre_listening",
        "Whether changes of other replicas come through.",
        isListening ? 1 : 0,
      ),
      ...gauge("coffre_database_connections", "Connections to the database.", total),
      ...gauge("coffre_database_connections_idle", "Those that nobody uses.", idle),
      ...gauge("coffre_database_waiting", "Calls that wait for a connection.", waiting),
      ...gauge("process_resident_memory_bytes", "Memory of the process.", memory.rss),
      ...gauge("nodejs_heap_used_bytes", "Memory of its objects.", memory.heapUsed),
      ...gauge(
        "process_start_time_seconds",
        "When the process started, in seconds since 1970.",
        Math.round(Date.now() / 1000 - process.uptime()),
      ),
      ...(await queueLines(database)),
    ];
    return `${lines.join("\n")}\n`;
  }

  #requestLines(): string[] {
    const lines = [
      "# HELP coffre_requests_total Requests that were answered.",
      "# TYPE coffre_requests_total counter",
      ...[...this.#requests].map(([key, count]) => `coffre_requests_total${key} ${count}`),
      "# HELP coffre_request_seconds Time until a request was answered.",
      "# TYPE coffre_request_seconds histogram",
    ];
    for (const [kind, { counts, count, sum }] of this.#durations) {
      const name = `coffre_request_seconds_bucket{kind="${kind}"`;
      for (const [at, bound] of BUCKETS.entries())
        lines.push(`${name},le="${bound}"} ${counts[at] ?? 0}`);
      lines.push(
        `${name},le="+Inf"} ${count}`,
        `coffre_request_seconds_sum{kind="${kind}"} ${sum.toFixed(6)}`,
        `coffre_request_seconds_count{kind="${kind}"} ${count}`,
      );
    }
    return lines;
  }
}

/** Of all vaults; the same on every replica. */
async function queueLines(database: Postgres): Promise<string[]> {
  const row = await database.one(
    "SELECT count(*) FILTER (WHERE status = 'waiting')::integer AS waiting, count(*) FILTER (WHERE status = 'running')::integer AS running FROM updates WHERE status IN ('waiting', 'running')",
  );
  return [
    ...gauge(
      "coffre_updates_waiting",
      "Updates that wait, in all vaults.",
      Number(row?.["waiting"]),
    ),
    ...gauge(
      "coffre_updates_running",
      "Updates that run, in all vaults.",
      Number(row?.["running"]),
    ),
  ];
}

function gauge(name: string, help: string, value: number): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${value}`];
}
