import { Client } from "pg";

/** Runs one statement on a connection of its own. */
export async function runSql(sql: string, url: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}
