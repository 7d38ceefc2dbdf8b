import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { recordSecret } from '../../../src/server/auth/secret-kept.ts';
import { backupName } from '../../../src/server/db/backup/backup-plan.ts';
import { openEmbedded } from '../../../src/server/db/client.ts';
import { makeDataFolder } from '../../support/harness/database.ts';
import { freePort } from '../../support/harness/free-port.ts';
import { dataFolder } from '../../support/harness/installation.ts';
import { runHere } from '../../support/harness/program.ts';

const KEY = 'sk_test_51NotARealKeyButOneThatLooksLikeIt';
const folder = dataFolder();
let ahead = 0;
/** Answers as Stripe does, by its own clock. */
const stripe = createServer((request, response) => {
  response.setHeader('date', new Date(Date.now() + ahead).toUTCString());
  response.statusCode = request.headers.authorization === `Bearer ${KEY}` ? 200 : 401;
  response.end('{}');
});
const mail = new SMTPServer({ authOptional: true, hideSTARTTLS: true });
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;

beforeAll(async () => {
  await new Promise<void>((open) => stripe.listen(0, '127.0.0.1', open));
  await new Promise<void>((open) => void mail.listen(0, '127.0.0.1', open));
});
afterAll(async () => {
  stripe.close();
  await new Promise<void>((closed) => mail.close(closed));
  folder.remove();
});

const doctor = async (more: Record<string, string> = {}) =>
  runHere('doctor', [], {
    DATA_DIR: folder.path,
    PORT: String(await freePort()),
    STRIPE_API_URL: `http://127.0.0.1:${portOf(stripe)}`,
    STRIPE_SECRET_KEY: KEY,
    SMTP_URL: `smtp://127.0.0.1:${portOf(mail.server)}`,
    ...more,
  });

it('says what is right', async () => {
  const { code, output } = await doctor();
  expect(output).toContain('Nothing is wrong.');
  for (const name of [
    'Node',
    'Configuration',
    'Data folder',
    'Disk',
    'Database',
    'Port',
    'Clock',
    'Payments',
  ])
    expect(output).toMatch(new RegExp(`^ {2}ok: {4}${name} `, 'm'));
  expect(output).toMatch(/^ {2}ok: {4}Email +The mail server answers\.$/m);
  expect(code).toBe(0);
});

it('says what is wrong and what to do, each on a line', async () => {
  ahead = -120_000;
  const closed = await freePort();
  const { code, output } = await doctor({
    DATA_DIR: '/proc/club',
    DATABASE_URL: `postgres://club@127.0.0.1:${closed}/club`,
    PORT: String(portOf(stripe)),
    STRIPE_SECRET_KEY: `${KEY}2`,
    SMTP_URL: `smtp://127.0.0.1:${closed}`,
  });
  expect(code).toBe(1);
  for (const line of [
    /wrong: Data folder +This account cannot write to \/proc|wrong: Disk +0 MB of 0 MB are free\. Free up space/,
    /wrong: Database +DATABASE_URL cannot be opened \(.*ECONNREFUSED/,
    /wrong: Port +\d+ is taken by another program\. End it, or set PORT to another\./,
    /wrong: Clock +The server’s clock differs by 2 minutes from Stripe’s\. Turn on time/,
    /wrong: Payments +Stripe does not take STRIPE_SECRET_KEY/,
    /wrong: Email +SMTP_URL does not work \(.*ECONNREFUSED/,
  ])
    expect(output).toMatch(line);
  expect(output).toContain(`\n${output.match(/^ {2}wrong: /gm)?.length} wrong\n`);
});

it('says what System says: no mail server, a placeholder that emails come from, and a Stripe that is away', async () => {
  const { output } = await doctor({ SMTP_URL: '' });
  expect(output).toMatch(/wrong: Email +No mail server is set up: emails would wait\. Set SMTP_URL/);
  const placeholder = await doctor({ MAIL_FROM: 'hello@example.com' });
  expect(placeholder.output).toMatch(
    /wrong: Email +Emails come from hello@example\.com, a placeholder\. Enter the club’s own support email/,
  );
  const away = await doctor({ STRIPE_API_URL: `http://127.0.0.1:${await freePort()}` });
  expect(away.output).toMatch(
    /wrong: Payments +Payments are a demo: .* Stripe stopped answering just now\. \(.*ECONNREFUSED.*\) Check the network/,
  );
  expect(away.output).toMatch(/ok: +Clock +The server has no other clock to compare with\./);
});

it('judges backups as the server does: the folder of a Postgres server’s dumps has to be named', async () => {
  const postgres = { DATABASE_URL: `postgres://club@127.0.0.1:${await freePort()}/club` };
  const lineOf = async (more: Record<string, string>) =>
    /^ {2}(ok|wrong): +Backup +(.*)$/m.exec((await doctor(more)).output)?.slice(1);
  expect(await lineOf(postgres)).toEqual([
    'ok',
    expect.stringMatching(/^Backups are made outside.* Name their folder in BACKUP_DIR to be warned/),
  ]);
  const dumps = join(folder.path, 'dumps');
  mkdirSync(dumps, { recursive: true });
  const write = (daysAgo: number) => {
    const file = backupName(new Date(Date.now() - daysAgo * 86_400_000), undefined, 'dump');
    writeFileSync(join(dumps, file), `PGDMP and more${'\0'.repeat(5)}`);
    return file;
  };
  const named = { ...postgres, BACKUP_DIR: dumps };
  expect(await lineOf(named)).toEqual(['ok', `No complete backup is in its folder yet. (${dumps})`]);
  write(3);
  expect(await lineOf(named)).toEqual([
    'wrong',
    expect.stringMatching(/^The last backup was made 3 days ago\. .* Check what makes the dumps/),
  ]);
  const fresh = write(1);
  expect(await lineOf(named)).toEqual(['ok', `The last backup was made 1 day ago. (${fresh})`]);
});

it('names a variable that is wrong, and looks at nothing that depends on it', async () => {
  const { code, output } = await doctor({ CURRENCY: 'gold' });
  expect(code).toBe(1);
  expect(output).toMatch(/wrong: Configuration {2}The configuration is not usable:\n\s+CURRENCY/);
  expect(output).toContain('1 wrong');
});

describe('the data of an embedded club', () => {
  let club: ReturnType<typeof dataFolder>;
  beforeEach(async () => {
    club = dataFolder();
    await makeDataFolder(club.path);
  });
  afterEach(() => club.remove());
  const at = (name: string) => join(club.path, name);
  const lineOf = async (about: string) =>
    new RegExp(`^  (ok|wrong): +${about} +(.*)$`, 'm')
      .exec((await doctor({ DATA_DIR: club.path })).output)
      ?.slice(1) ?? [];

  it('is read from a copy, which changes nothing', async () => {
    const before = readdirSync(at('db'));
    expect(await lineOf('Database')).toEqual([
      'ok',
      expect.stringMatching(/embedded, in .*: \d+ tables, each row read/),
    ]);
    expect(readdirSync(at('db'))).toEqual(before);
    expect(readdirSync(club.path).filter((it) => it.startsWith('checking-'))).toEqual([]);
  });

  it('is named as damaged or missing, with the way back, as at a start', async () => {
    rmSync(at('db/global/pg_control'));
    expect(await lineOf('Database')).toEqual([
      'wrong',
      expect.stringMatching(/db\/global\/pg_control is missing.*cellar-door restore FILE --replace/),
    ]);
    rmSync(at('db'), { recursive: true });
    writeFileSync(at('db-on-disk'), '');
    expect(await lineOf('Database')).toEqual([
      'wrong',
      expect.stringContaining('database of this club is missing'),
    ]);
    writeFileSync(at('secrets.json'), '{"auth":');
    expect(await lineOf('Data folder')).toEqual([
      'wrong',
      expect.stringContaining('secrets.json is damaged'),
    ]);
  });

  it('is not opened with another AUTH_SECRET', async () => {
    const database = await openEmbedded(club.path);
    await recordSecret(database.db, 'x'.repeat(32));
    await database.close();
    expect(await lineOf('Database')).toEqual(['wrong', expect.stringContaining('AUTH_SECRET is required')]);
    const { output } = await doctor({ DATA_DIR: club.path, AUTH_SECRET: 'y'.repeat(32) });
    expect(output).toContain('AUTH_SECRET is not the one that this database was made with');
    const right = await doctor({ DATA_DIR: club.path, AUTH_SECRET: 'x'.repeat(32) });
    expect(right.output).toMatch(/ok: +Database/);
  });
});
