import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { command } from './postgres-server.ts';
import { createStatement } from './postgres-setup.ts';

/** A database for one test file. */
export type TestDatabase = { url: string; drop: () => Promise<void> };

/**
 * Creates a database for one test file, with all tables and no rows, as a copy because migrating takes seconds. Project
 * `race` only. `drop` also closes open connections.
 */
export const createDatabase = (): Promise<TestDatabase> => create(inject('migratedDatabase'));

/** Creates a database without tables. */
export const createEmptyDatabase = (): Promise<TestDatabase> => create('template0');

async function create(template: string): Promise<TestDatabase> {
  const url = new URL(inject('postgresUrl'));
  const server = url.href;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await command(server, createStatement(name, template));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => command(server, `drop database if exists ${name} with (force)`) };
}
