import { Client } from 'pg';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { assertUsablePostgres } from '../../../src/server/db/usable-postgres.ts';

// tests/race/unusable-postgres.test.ts asks a real server, which is neither old nor a standby.
const CLUB = {
  version: '15.0 (Debian 15.0-1)',
  name: 'club',
  user: 'club',
  encoding: 'UTF8',
  standby: false,
  read_only: false,
  ours: true,
  foreign_table: 'profiles',
  may_create: true,
  owner: 'club',
  other_owner: null,
};
let facts: object;
beforeEach(() => {
  facts = CLUB;
  vi.spyOn(Client.prototype, 'query').mockImplementation(() => Promise.resolve({ rows: [facts] }));
});
afterEach(() => {
  vi.restoreAllMocks();
});

const judge = (more: object) => {
  facts = { ...CLUB, ...more };
  return assertUsablePostgres(new Client());
};

it('a server of version 15 or later is used, an older one refused', async () => {
  expect(await judge({})).toBe(CLUB.version);
  expect(await judge({ version: '18beta1' })).toBe('18beta1');
  await expect(judge({ version: '14.20' })).rejects.toThrow('use a server of version 15 or later');
  await expect(judge({ version: '9.6.24' })).rejects.toThrow('is on Postgres 9.6.24');
});

it('a standby is refused as a standby, although it only reads', async () => {
  await expect(judge({ standby: true, read_only: true })).rejects.toThrow('name the primary server');
});

it('a database with the club’s tables needs no right to create', async () => {
  expect(await judge({ may_create: false, owner: 'admin' })).toBe(CLUB.version);
  await expect(judge({ may_create: false, ours: false, foreign_table: null })).rejects.toThrow(
    'may not create tables in "club"',
  );
});
