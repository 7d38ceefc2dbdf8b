import {
  accessSync,
  constants,
  cpSync,
  existsSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { createTransport } from 'nodemailer';
import { Client } from 'pg';
import {
  certificateHealth,
  clockHealth,
  diskHealth,
  isBackupMissing,
  isOwnAddress,
} from '../../src/domain/monitoring/system-status.ts';
import { describeSecretConflict } from '../../src/server/auth/secret-kept.ts';
import type { UnknownSubscription } from '../../src/server/billing/adoption/unknown-subscriptions.ts';
import { unknownRemedy, unknownText } from '../../src/server/billing/adoption/unknown-text.ts';
import { lockDataDir } from '../../src/server/config/data-dir-lock.ts';
import { type Env, readEnv } from '../../src/server/config/env.ts';
import { storedSecrets } from '../../src/server/config/generated-secrets.ts';
import { backupFolders } from '../../src/server/config/settings.ts';
import { assertDataWhole, damagedDatabase } from '../../src/server/db/backup/data-damage.ts';
import { inspectDatabase } from '../../src/server/db/backup/inspect.ts';
import { newestBackup, newestDump } from '../../src/server/db/backup/newest-backup.ts';
import { hasNoRoom, isDiskFull } from '../../src/server/db/disk-full.ts';
import type { Query } from '../../src/server/db/move/tables.ts';
import { assertUsablePostgres } from '../../src/server/db/usable-postgres.ts';
import { adminSocketPath } from '../../src/server/http/admin-socket.ts';
import { readCertificate } from '../../src/server/monitoring/certificate.ts';
import { type Command, WrongArguments } from './command.ts';
import { askServer } from './operator.ts';

const WAIT_MS = 10_000;
const OLDEST_NODE = 24;

class Wrong extends Error {}

const messageOf = (error: unknown) => (error instanceof Error && error.message) || String(error);

/** The name of what is checked, and its check, which returns a sentence about what is right or throws Wrong. */
type Check = [about: string, check: () => string | Promise<string>];

function checks(env: Env): Check[] {
  const stripe = answerOfStripe(env);
  return [
    ['data folder', () => checkFolder(env)],
    ['database', () => checkDatabase(env)],
    ['port', () => checkPort(env)],
    ['clock', async () => checkClock(await stripe, env)],
    ['Stripe', async () => checkKey(await stripe, env)],
    ['subscriptions', () => checkSubscriptions(env)],
    ['mail', () => checkMail(env)],
    ['backups', () => checkBackups(env)],
    ...(env.PUBLIC_URL.startsWith('https:')
      ? [['certificate', () => checkCertificate(env.PUBLIC_URL)] satisfies Check]
      : []),
  ];
}

function checkNode(): string {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < OLDEST_NODE)
    throw new Wrong(`this is ${node}: install Node ${OLDEST_NODE}`);
  return node;
}

function checkFolder({ DATA_DIR: dataDir, AUTH_SECRET }: Env): string {
  const folder = resolve(dataDir);
  let existing = folder;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    accessSync(existing, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new Wrong(
      `this account cannot write to ${existing}: give it that folder, or name another in DATA_DIR`,
    );
  }
  if (existing === folder && !statSync(folder).isDirectory())
    throw new Wrong(`${folder} is a file: name a folder in DATA_DIR`);
  if (!AUTH_SECRET) storedSecrets(dataDir);
  const { bavail, bsize } = statfsSync(existing);
  const space = bavail * bsize;
  const free = `${folder}, ${(space / 1_000_000_000).toFixed(1)} GB free`;
  if (diskHealth(space) !== 'well') throw new Wrong(`${free}: make room for at least 1 GB`);
  return free;
}

async function checkDatabase(env: Env): Promise<string> {
  const { DATABASE_URL } = env;
  if (!DATABASE_URL) return checkEmbedded(env);
  const client = new Client({ connectionString: DATABASE_URL, connectionTimeoutMillis: WAIT_MS });
  // A lost connection is reported by the query.
  client.on('error', () => undefined);
  try {
    await client.connect().catch((error: unknown) => {
      throw new Wrong(
        `DATABASE_URL cannot be opened (${messageOf(error)}): check it, and that the server runs`,
      );
    });
    const version = await assertUsablePostgres(client);
    const query: Query = async (text) => (await client.query(text)).rows;
    if (await isOurs(query)) await checkSecret(query, env);
    return `Postgres ${version}`;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const isOurs = async (query: Query) =>
  (await query(`select where to_regclass('drizzle.__drizzle_migrations') is not null`)).length > 0;

async function checkSecret(query: Query, env: Env): Promise<void> {
  const conflict = await describeSecretConflict(query, env);
  if (conflict) throw new Wrong(conflict.join('\n'));
}

/** Judges the files as a start does, and opens a copy of them, so that nothing changes; a running server has judged. */
async function checkEmbedded(env: Env): Promise<string> {
  const { DATA_DIR } = env;
  const at = { folder: DATA_DIR, backups: backupFolders(env) };
  assertDataWhole(at);
  const where = `embedded, in ${resolve(DATA_DIR)}`;
  const db = join(DATA_DIR, 'db');
  if (!existsSync(db)) return `${where}: none yet, the first start makes it`;
  if (await isRunning(DATA_DIR)) return `${where}, opened by the running server`;
  const lock = lockDataDir(DATA_DIR);
  const copy = mkdtempSync(join(DATA_DIR, 'checking-'));
  try {
    cpSync(realpathSync(db), join(copy, 'db'), { recursive: true });
    let conflict: string[] | null = null;
    const { rows } = await inspectDatabase(join(copy, 'db'), async (query) => {
      conflict = await describeSecretConflict(query, env);
    }).catch((error: unknown) => {
      throw isDiskFull(error) || hasNoRoom(copy)
        ? new Wrong(`${where}: not read, for want of room`)
        : damagedDatabase(at, messageOf(error));
    });
    if (conflict) throw new Wrong((conflict as string[]).join('\n'));
    return `${where}: ${Object.keys(rows).length} tables, each row read`;
  } finally {
    rmSync(copy, { recursive: true, force: true });
    lock.release();
  }
}

async function checkPort({ HOST, PORT, DATA_DIR }: Env): Promise<string> {
  const server = createServer();
  const error = await new Promise<NodeJS.ErrnoException | null>((tried) => {
    server.once('error', tried);
    server.listen(PORT, HOST, () => server.close(() => tried(null)));
  });
  if (!error) return `${PORT} is free`;
  if (error.code === 'EADDRINUSE' && (await isRunning(DATA_DIR))) return `${PORT}, of the running server`;
  if (error.code === 'EADDRINUSE')
    throw new Wrong(`${PORT} is taken by another program: end it, or set PORT to another`);
  throw new Wrong(`${PORT} cannot be opened on ${HOST} (${error.code}): set HOST or PORT to others`);
}

const isRunning = (dataDir: string) =>
  new Promise<boolean>((known) => {
    const socket = connect(adminSocketPath(dataDir));
    socket.once('error', () => known(false));
    socket.once('connect', () => {
      socket.destroy();
      known(true);
    });
  });

/** Stripe's answer to a request that changes nothing, or the error. Stripe sends its time with each, also without a key. */
async function answerOfStripe({ STRIPE_API_URL, STRIPE_SECRET_KEY }: Env): Promise<Answer | Error> {
  const url = `${STRIPE_API_URL ?? 'https://api.stripe.com'}/v1/prices?limit=1`;
  const headers = STRIPE_SECRET_KEY ? { authorization: `Bearer ${STRIPE_SECRET_KEY}` } : undefined;
  try {
    const { status, headers: sent } = await fetch(url, { headers, signal: AbortSignal.timeout(WAIT_MS) });
    const theirs = Date.parse(sent.get('date') ?? '');
    return { status, skew_ms: Number.isNaN(theirs) ? null : Date.now() - theirs };
  } catch (error) {
    return error as Error;
  }
}

interface Answer {
  status: number;
  /** How far this computer's clock is ahead of Stripe's; null if Stripe did not say. */
  skew_ms: number | null;
}

const unreachable = (error: Error) =>
  new Wrong(
    `Stripe cannot be reached (${messageOf(error.cause ?? error)}): check the network, the firewall and DNS`,
  );

function checkClock(answer: Answer | Error, { STRIPE_SECRET_KEY }: Env): string {
  if (answer instanceof Error) {
    if (STRIPE_SECRET_KEY) throw unreachable(answer);
    return 'not compared: Stripe, which tells the time, cannot be reached';
  }
  if (answer.skew_ms === null) throw new Wrong("Stripe's answer has no time to compare: try again");
  if (clockHealth([answer.skew_ms]) !== 'well') {
    const seconds = Math.round(answer.skew_ms / 1000);
    const off = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead' : 'behind'}`;
    throw new Wrong(`it is ${off}: turn time synchronization on (timedatectl set-ntp true)`);
  }
  return 'right';
}

function checkKey(answer: Answer | Error, { STRIPE_SECRET_KEY }: Env): string {
  if (!STRIPE_SECRET_KEY) return 'no STRIPE_SECRET_KEY: payments are off, and members pay at the venue';
  if (answer instanceof Error) throw unreachable(answer);
  if (answer.status === 401)
    throw new Wrong('it does not take STRIPE_SECRET_KEY: it is mistyped, or was rolled');
  if (answer.status >= 500) throw new Wrong(`it answers ${answer.status}: try again later`);
  return 'takes the key; cellar-door stripe check says more';
}

/** Only the running server can read the embedded database. */
async function checkSubscriptions(env: Env): Promise<string> {
  if (!env.STRIPE_SECRET_KEY) return 'none: payments are off';
  const answer = await askServer(env.DATA_DIR, { method: 'POST', path: '/stripe/unknown' }).catch(
    (error: unknown) => {
      throw new Wrong(`the server could not compare them with Stripe (${messageOf(error)})`);
    },
  );
  if (!answer) return 'not compared with Stripe, because the server does not run';
  const unknown = answer as UnknownSubscription[];
  if (unknown.length === 0) return 'all that run on our prices at Stripe have an account here';
  const lines = unknown.map((it) => `${unknownText(it)}; ${unknownRemedy(it, env.PUBLIC_URL)}`);
  throw new Wrong(`no account here for\n${lines.join('\n')}`);
}

async function checkMail({ SMTP_URL: smtpUrl, MAIL_FROM, SUPPORT_EMAIL }: Env): Promise<string> {
  if (!smtpUrl) return 'no SMTP_URL: emails wait in the database';
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
  });
  try {
    await transport.verify();
    const from = MAIL_FROM ?? SUPPORT_EMAIL;
    if (MAIL_FROM && !isOwnAddress(MAIL_FROM))
      throw new Wrong(`MAIL_FROM is a placeholder (${MAIL_FROM}): set it to the club's own address`);
    const sender = isOwnAddress(from)
      ? ''
      : '; emails come from the support email of Settings, which System judges';
    return `the server of SMTP_URL answers${sender}`;
  } catch (error) {
    if (error instanceof Wrong) throw error;
    throw new Wrong(`SMTP_URL does not work (${messageOf(error)}): check its host, port, name and password`);
  } finally {
    transport.close();
  }
}

/** Judges the backups in the folder as the server does. The server's start is the time of its socket. */
async function checkBackups(env: Env): Promise<string> {
  const { DATABASE_URL, DATA_DIR, BACKUP_DIR, BACKUP_COPY_DIR, BACKUP_KEEP_DAYS } = env;
  if (DATABASE_URL && !env.backupDirNamed)
    return 'made outside: name their folder in BACKUP_DIR to be warned';
  if (!DATABASE_URL && BACKUP_COPY_DIR && !existsSync(BACKUP_COPY_DIR))
    throw new Wrong(`there is no folder ${resolve(BACKUP_COPY_DIR)}: create it, once its disk is mounted`);
  if (!DATABASE_URL && BACKUP_KEEP_DAYS === 0) return 'off, by BACKUP_KEEP_DAYS';
  const newest = DATABASE_URL ? newestDump(BACKUP_DIR) : newestBackup(BACKUP_DIR);
  const last_at = newest?.at ?? null;
  const now = new Date();
  const started_at = (await isRunning(DATA_DIR)) ? statSync(adminSocketPath(DATA_DIR)).mtime : now;
  const seen = { watched: true, plan: 'daily', failed_at: null, copy_failed_at: null } as const;
  const age = last_at ? `the last is from ${last_at.toISOString().slice(0, 10)}` : 'none yet';
  const found = `${age} in ${resolve(BACKUP_DIR)}`;
  if (isBackupMissing({ ...seen, last_at, started_at }, now)) {
    const next = DATABASE_URL ? 'check what makes the dumps' : 'run cellar-door backup';
    throw new Wrong(`${found}: ${next}`);
  }
  return newest?.file ?? found;
}

async function checkCertificate(publicUrl: string): Promise<string> {
  const certificate = await readCertificate(publicUrl).catch((error: unknown) => {
    throw new Wrong(
      `${publicUrl} cannot be reached from here (${messageOf(error)}): check the proxy and DNS`,
    );
  });
  const until = `until ${certificate.ends_at.toISOString().slice(0, 10)}`;
  const health = certificateHealth(certificate, new Date());
  if (health !== 'well') throw new Wrong(`${until}: check why the proxy does not renew it`);
  return until;
}

async function report(about: string, check: () => string | Promise<string>): Promise<boolean> {
  let text: string;
  let right = true;
  try {
    text = await check();
  } catch (error) {
    right = false;
    text = messageOf(error);
  }
  console.log(
    `  ${(right ? 'ok:' : 'wrong:').padEnd(7)}${about.padEnd(15)}${text.replaceAll('\n', '\n    ')}`,
  );
  return right;
}

export const command: Command = {
  usage: [['', 'checks this computer line by line, and changes nothing']],
  async run(words) {
    if (words.length > 0) throw new WrongArguments();
    const results = [await report('Node', checkNode)];
    let env: Env | undefined;
    const checkConfiguration = () => {
      env = readEnv(process.env);
      return env.PUBLIC_URL;
    };
    results.push(await report('configuration', checkConfiguration));
    for (const [about, check] of env ? checks(env) : []) results.push(await report(about, check));
    const wrong = results.filter((it) => !it).length;
    console.log(wrong > 0 ? `\n${wrong} wrong` : '\nNothing is wrong.');
    return wrong > 0 ? 1 : 0;
  },
};
