import { afterAll } from 'vitest';
import { createTestApp, type TestApp } from './app.ts';
import type { Caller } from './caller.ts';
import { createDatabase } from './postgres.ts';

/**
 * Opens an app on a Postgres database of its own, and signs staff in to it, for all tests of the calling file. Both are
 * closed after them.
 */
export async function openRaceApp(): Promise<{ app: TestApp; staff: Caller; databaseUrl: string }> {
  const { url: databaseUrl, drop } = await createDatabase();
  const app = await createTestApp({ databaseUrl });
  afterAll(async () => {
    await app.close();
    await drop();
  });
  return { app, staff: await app.staff(), databaseUrl };
}
