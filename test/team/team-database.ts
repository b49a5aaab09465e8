import { randomBytes } from "node:crypto";

import { afterAll, inject, onTestFinished } from "vitest";

import {
  openPostgres,
  type Postgres,
  type PostgresOptions,
} from "../../src/storage/postgres/postgres.ts";
import { runSql } from "./run-sql.ts";

/** Runs one statement as the owner of the server. */
export async function asOwner(sql: string, url = inject("postgres")): Promise<unknown[]> {
  return runSql(sql, url);
}

/** The address of a new, empty database. The server is removed with all of them. */
export async function emptyDatabase(): Promise<string> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  await asOwner(`CREATE DATABASE ${name}`);
  const url = new URL(inject("postgres"));
  url.pathname = `/${name}`;
  return url.href;
}

let shared: Promise<Postgres> | null = null;

/** A database with our tables, closed when the test ends; without an address, the one that all tests of this file share. */
export async function teamDatabase(options?: PostgresOptions): Promise<Postgres> {
  if (options === undefined) return (shared ??= openShared());
  const database = await openPostgres(options);
  onTestFinished(async () => database.close());
  return database;
}

async function openShared(): Promise<Postgres> {
  return openPostgres({ url: await emptyDatabase() });
}

afterAll(async () => (await shared)?.close());
