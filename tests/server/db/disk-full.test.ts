import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { isDiskFull } from '../../../src/server/db/disk-full.ts';
import { EmbeddedClient } from '../../../src/server/db/embedded/embedded-client.ts';
import { noteUnavailable, toUnavailable } from '../../../src/server/db/pool.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';

/** The error of a full disk as Postgres, Node, and the embedded database's file system report it; the last is no Error. */
const FULL = {
  postgres: Object.assign(new Error('could not extend file "base/5/2608"'), { code: '53100' }),
  node: Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }),
  quota: Object.assign(new Error('disk quota exceeded, write'), { code: 'EDQUOT' }),
  embedded: { name: 'ErrnoError', errno: 51 },
  builder: new Error('The web app could not be built:\nError: ENOSPC: no space left on device'),
};

describe('a full disk', () => {
  test.each(Object.entries(FULL))('is recognized, wrapped or not: %s', (_, error) => {
    expect(isDiskFull(error)).toBe(true);
    expect(isDiskFull(new Error('Failed query', { cause: error }))).toBe(true);
  });

  test.each([
    ['another error', new Error('duplicate key')],
    ['another number of the file system', { name: 'ErrnoError', errno: 44 }],
    ['no error', undefined],
  ])('is not reported for other errors: %s', (_, error) => expect(isDiskFull(error)).toBe(false));

  it('has a clear message, and passes by itself', async () => {
    const noted = await noteUnavailable(async () => {
      expect(toUnavailable(FULL.postgres)).toMatchObject({
        message: expect.stringContaining('The disk of the database is full'),
        cause: FULL.postgres,
      });
    });
    expect(noted).toBe(true);
  });

  it('is detected in every statement of the embedded database, even in a transaction', async () => {
    const client = new EmbeddedClient({
      ...{ closed: false, parsers: {}, serializers: {}, syncToFs: async () => undefined },
      execProtocolStream: () => Promise.reject(FULL.embedded),
    });
    await expect(client.query('select')).rejects.toThrow('The disk of the database is full');
    await expect(client.transaction((tx) => tx.query('insert'))).rejects.toThrow('is full');
  });
});

describe('while the server runs', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await createTestApp();
  });
  afterAll(() => app.close());

  it('a call that cannot be stored is answered 503, and the log says why; once there is space, it works', async () => {
    const { db } = app.services;
    await app.customer({ email: 'space@example.test' });
    await db.execute(sql`create function no_space() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$`);
    await db.execute(sql`create trigger no_space before insert on sessions execute function no_space()`);
    const signIn = () =>
      app.visitor().call('POST', '/api/auth/sign-in', { email: 'space@example.test', password: PASSWORD });
    const answer = await signIn();
    expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).not.toBeNull();
    expect(app.logged.join('\n')).toContain('The disk of the database is full');
    await db.execute(sql`drop trigger no_space on sessions`);
    expect((await signIn()).status).toBe(200);
  });
});
