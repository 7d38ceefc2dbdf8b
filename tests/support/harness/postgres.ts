import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** An empty database for one test file. */
export type TestDatabase = { url: string; drop: () => Promise<void> };

/** Runs statements on the database of that URL. */
export async function command(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * Creates an empty database on the server of this test run (project `race` only). `drop` also closes open connections.
 */
export async function createDatabase(): Promise<TestDatabase> {
  const server = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await command(
    server,
    `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
  );
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => command(server, `drop database if exists ${name} with (force)`) };
}
