import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../../src/server/db/client.ts';
import { command, startPostgres } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string;
    /** A database on that server with all tables, as a template. */
    migratedDatabase: string;
  }
}

/**
 * The statement that creates a database, collated as in production, from a copy of `template`. Copies the files, where by
 * default each page would also pass through the log.
 */
export const createStatement = (name: string, template = 'template0'): string =>
  `create database ${name} template ${template} strategy file_copy encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`;

/** Vitest's global setup: starts one server for the run, or uses TEST_DATABASE_URL. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const server = given ? { url: given, stop: async () => undefined } : await startPostgres();
  const migrated = `migrated_${process.pid}`;
  await command(server.url, createStatement(migrated));
  const url = new URL(server.url);
  url.pathname = `/${migrated}`;
  await (await openPostgres(url.href)).close();
  project.provide('postgresUrl', server.url);
  project.provide('migratedDatabase', migrated);
  return async () => {
    await command(server.url, `drop database ${migrated}`);
    await server.stop();
  };
}
