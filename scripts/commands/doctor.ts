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
import { backupCheck } from '../../src/domain/monitoring/backup-check.ts';
import { type CheckRow, isInTrouble } from '../../src/domain/monitoring/check.ts';
import { emailCheck, isOwnAddress } from '../../src/domain/monitoring/email-check.ts';
import {
  certificateCheck,
  clockCheck,
  databaseCheck,
  diskCheck,
} from '../../src/domain/monitoring/machine-checks.ts';
import { paymentsCheck } from '../../src/domain/monitoring/payment-checks.ts';
import { describeSecretConflict } from '../../src/server/auth/secret-kept.ts';
import type { UnknownSubscription } from '../../src/server/billing/customers/unknown-subscriptions.ts';
import { unknownRemedy, unknownText } from '../../src/server/billing/customers/unknown-text.ts';
import { lockDataDir } from '../../src/server/config/data-dir-lock.ts';
import { type Env, readEnv } from '../../src/server/config/env.ts';
import { storedSecrets } from '../../src/server/config/generated-secrets.ts';
import { backupFolders } from '../../src/server/config/settings.ts';
import { stripeModeOf } from '../../src/server/config/stripe-mode.ts';
import { assertDataWhole, damagedDatabase } from '../../src/server/db/backup/data-damage.ts';
import { inspectDatabase } from '../../src/server/db/backup/inspect.ts';
import { newestBackup, newestDump } from '../../src/server/db/backup/newest-backup.ts';
import { hasNoRoom, isDiskFull } from '../../src/server/db/disk-full.ts';
import { ageOf, type StoredMigration } from '../../src/server/db/migrate.ts';
import type { Query } from '../../src/server/db/move/tables.ts';
import { assertUsablePostgres } from '../../src/server/db/usable-postgres.ts';
import { adminSocketPath } from '../../src/server/http/admin-socket.ts';
import { readCertificate } from '../../src/server/monitoring/certificate.ts';
import { type Command, WrongArguments } from './command.ts';
import { askServer } from './operator.ts';

const WAIT_MS = 10_000;
const OLDEST_NODE = 24;

/** Something that only this command can check is wrong. */
class Wrong extends Error {
  readonly next: string | null;
  /** Without `next`, the text says what to do. */
  constructor(text: string, next: string | null = null) {
    super(text);
    this.next = next;
  }
}

const messageOf = (error: unknown) => (error instanceof Error && error.message) || String(error);

/** Returns a row of System, or a sentence about what is right. Throws Wrong, and the errors of a start. */
type Check = () => CheckRow | string | Promise<CheckRow | string>;

/** Rows that System has too have its names. */
function checks(env: Env): [name: string, check: Check][] {
  const stripe = answerOfStripe(env);
  return [
    ['Data folder', () => checkFolder(env)],
    ['Disk', () => checkDisk(env)],
    ['Database', () => checkDatabase(env)],
    ['Port', () => checkPort(env)],
    ['Clock', async () => checkClock(await stripe)],
    ['Payments', async () => checkPayments(await stripe, env)],
    ['Subscriptions', () => checkSubscriptions(env)],
    ['Email', () => checkEmail(env)],
    ['Backup', () => checkBackup(env)],
    ...(env.PUBLIC_URL.startsWith('https:')
      ? [['Certificate', () => checkCertificate(env)] satisfies [string, Check]]
      : []),
  ];
}

function checkNode(): string {
  const { node } = process.versions;
  if (Number.parseInt(node, 10) < OLDEST_NODE)
    throw new Wrong(`This is Node ${node}.`, `Install Node ${OLDEST_NODE}.`);
  return node;
}

/** The data folder, or the nearest one around it before the first start. */
function existingFolder({ DATA_DIR }: Env): string {
  let folder = resolve(DATA_DIR);
  while (!existsSync(folder)) folder = dirname(folder);
  return folder;
}

function checkFolder(env: Env): string {
  const { DATA_DIR: dataDir, AUTH_SECRET } = env;
  const folder = resolve(dataDir);
  const nearestFolder = existingFolder(env);
  try {
    accessSync(nearestFolder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new Wrong(
      `This account cannot write to ${nearestFolder}.`,
      'Give it that folder, or name another in DATA_DIR.',
    );
  }
  if (nearestFolder === folder && !statSync(folder).isDirectory())
    throw new Wrong(`${folder} is a file.`, 'Name a folder in DATA_DIR.');
  if (!AUTH_SECRET) storedSecrets(dataDir);
  return folder;
}

function checkDisk(env: Env): CheckRow {
  const { bavail, blocks, bsize } = statfsSync(existingFolder(env));
  return { ...diskCheck({ free_bytes: bavail * bsize, total_bytes: blocks * bsize }), facts: [] };
}

async function checkDatabase(env: Env): Promise<CheckRow | string> {
  const { DATABASE_URL } = env;
  if (!DATABASE_URL) return checkEmbedded(env);
  const client = new Client({ connectionString: DATABASE_URL, connectionTimeoutMillis: WAIT_MS });
  // A lost connection is reported by the query.
  client.on('error', () => undefined);
  try {
    await client.connect().catch((error: unknown) => {
      throw new Wrong(
        `DATABASE_URL cannot be opened (${messageOf(error)}).`,
        'Check it, and that the server runs.',
      );
    });
    const version = await assertUsablePostgres(client);
    const query: Query = async (text) => (await client.query(text)).rows;
    const start = performance.now();
    const isOurs = (await query(IS_OURS)).length > 0;
    const answered_ms = Math.round(performance.now() - start);
    if (isOurs) await checkSecret(query, env);
    const migrations = isOurs ? ((await query(STORED_MIGRATIONS)) as unknown as StoredMigration[]) : [];
    // Tables of an older version are brought to this one by its start.
    const own_version = ageOf(migrations) !== 'newer';
    const row = databaseCheck({ kind: 'postgres', members: 0, answered_ms, own_version });
    return { ...row, facts: [`version ${version}`] };
  } finally {
    await client.end().catch(() => undefined);
  }
}

const IS_OURS = `select where to_regclass('drizzle.__drizzle_migrations') is not null`;
const STORED_MIGRATIONS = 'select hash, created_at::float8 as created_at from drizzle.__drizzle_migrations';

async function checkSecret(query: Query, env: Env): Promise<void> {
  const conflict = await describeSecretConflict(query, env);
  if (conflict) throw new Wrong(conflict.join('\n'));
}

/** Judges the files as a start does, and opens a copy of them, so that nothing changes; a running server has judged. */
async function checkEmbedded(env: Env): Promise<string> {
  const { DATA_DIR } = env;
  const at = { folder: DATA_DIR, backups: backupFolders(env) };
  assertDataWhole(at);
  const place = `embedded, in ${resolve(DATA_DIR)}`;
  const db = join(DATA_DIR, 'db');
  if (!existsSync(db)) return `${place}: none yet, the first start makes it`;
  if (await isRunning(DATA_DIR)) return `${place}, opened by the running server`;
  const lock = lockDataDir(DATA_DIR);
  const copy = mkdtempSync(join(DATA_DIR, 'checking-'));
  try {
    cpSync(realpathSync(db), join(copy, 'db'), { recursive: true });
    let conflict: string[] | null = null;
    const { rows } = await inspectDatabase(join(copy, 'db'), async (query) => {
      conflict = await describeSecretConflict(query, env);
    }).catch((error: unknown) => {
      throw isDiskFull(error) || hasNoRoom(copy)
        ? new Wrong(`${place}: not read, for want of room.`, 'Free up space there, then check again.')
        : damagedDatabase(at, messageOf(error));
    });
    if (conflict) throw new Wrong((conflict as string[]).join('\n'));
    return `${place}: ${Object.keys(rows).length} tables, each row read`;
  } finally {
    rmSync(copy, { recursive: true, force: true });
    lock.release();
  }
}

async function checkPort({ HOST, PORT, DATA_DIR }: Env): Promise<string> {
  const server = createServer();
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    server.once('error', resolve);
    server.listen(PORT, HOST, () => server.close(() => resolve(null)));
  });
  if (!error) return `${PORT} is free`;
  if (error.code === 'EADDRINUSE' && (await isRunning(DATA_DIR))) return `${PORT}, of the running server`;
  if (error.code === 'EADDRINUSE')
    throw new Wrong(`${PORT} is taken by another program.`, 'End it, or set PORT to another.');
  throw new Wrong(`${PORT} cannot be opened on ${HOST} (${error.code}).`, 'Set HOST or PORT to others.');
}

const isRunning = (dataDir: string) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(adminSocketPath(dataDir));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

/** Stripe's answer to a request that changes nothing, or the error. Stripe sends its time with each, also without a key. */
async function answerOfStripe({ STRIPE_API_URL, STRIPE_SECRET_KEY }: Env): Promise<Answer | Error> {
  const url = `${STRIPE_API_URL ?? 'https://api.stripe.com'}/v1/prices?limit=1`;
  const headers = STRIPE_SECRET_KEY ? { authorization: `Bearer ${STRIPE_SECRET_KEY}` } : undefined;
  try {
    const { status, headers: answerHeaders } = await fetch(url, {
      headers,
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const time = Date.parse(answerHeaders.get('date') ?? '');
    return { status, skew_ms: Number.isNaN(time) ? null : time - Date.now() };
  } catch (error) {
    return error as Error;
  }
}

interface Answer {
  status: number;
  /** Milliseconds that Stripe's clock is ahead of this computer's; null if Stripe did not say. */
  skew_ms: number | null;
}

function checkClock(answer: Answer | Error): CheckRow {
  const stripe_skew_ms = answer instanceof Error ? null : answer.skew_ms;
  return { ...clockCheck({ database_skew_ms: null, stripe_skew_ms }), facts: [] };
}

function checkPayments(answer: Answer | Error, env: Env): CheckRow {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl } = env;
  const now = new Date();
  const problem = problemOf(answer);
  const row = paymentsCheck(
    {
      mode: secretKey ? stripeModeOf({ secretKey, apiUrl }) : 'off',
      started_at: now,
      last_sweep_at: null,
      answered_at: null,
      unanswered_since: secretKey && problem ? now : null,
      last_event_at: null,
      has_subscriptions: false,
      oldest_open_event_at: null,
    },
    now,
  );
  if (!secretKey) return row;
  if (problem) return { ...row, facts: [problem] };
  if (!(answer instanceof Error) && answer.status === 401)
    throw new Wrong(
      'Stripe does not take STRIPE_SECRET_KEY: it is mistyped, or was rolled.',
      'Copy it from Stripe’s dashboard.',
    );
  return { ...row, facts: ['Stripe takes the key; cellar-door stripe check says more'] };
}

/** Why Stripe did not answer; null if it did. */
function problemOf(answer: Answer | Error): string | null {
  if (answer instanceof Error) return messageOf(answer.cause ?? answer);
  return answer.status >= 500 ? `status ${answer.status}` : null;
}

/** Only the running server can read the embedded database. */
async function checkSubscriptions(env: Env): Promise<string> {
  if (!env.STRIPE_SECRET_KEY) return 'None: payments are off';
  const answer = await askServer(env.DATA_DIR, { method: 'POST', path: '/stripe/unknown' }).catch(
    (error: unknown) => {
      throw new Wrong(
        `The server could not compare them with Stripe (${messageOf(error)}).`,
        'Run cellar-door stripe check.',
      );
    },
  );
  if (!answer) return 'Not compared with Stripe, because the server does not run';
  const subscriptions = answer as UnknownSubscription[];
  if (subscriptions.length === 0) return 'All that run on our prices at Stripe have an account here';
  const lines = subscriptions.map((it) => `${unknownText(it)}; ${unknownRemedy(it, env.PUBLIC_URL)}`);
  throw new Wrong(`no account here for\n${lines.join('\n')}`);
}

async function checkEmail({ SMTP_URL: smtpUrl, MAIL_FROM, SUPPORT_EMAIL }: Env): Promise<CheckRow> {
  if (smtpUrl) await assertMailServer(smtpUrl);
  const row = emailCheck(
    {
      sends: smtpUrl !== undefined,
      from: MAIL_FROM ?? SUPPORT_EMAIL,
      // Without MAIL_FROM emails come from the support email of Settings, which System judges.
      own_address: !MAIL_FROM || isOwnAddress(MAIL_FROM),
      waiting: 0,
      retrying: 0,
      oldest_at: null,
      sent_at: null,
    },
    new Date(),
  );
  return { ...row, text: isInTrouble(row) ? row.text : 'The mail server answers.', facts: [] };
}

async function assertMailServer(url: string): Promise<void> {
  const transport = createTransport({
    url,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
  });
  try {
    await transport.verify();
  } catch (error) {
    throw new Wrong(
      `SMTP_URL does not work (${messageOf(error)}).`,
      'Check its host, port, name and password.',
    );
  } finally {
    transport.close();
  }
}

/** The server's start is the time of its socket. */
async function checkBackup(env: Env): Promise<CheckRow> {
  const { DATABASE_URL, DATA_DIR, BACKUP_DIR, BACKUP_COPY_DIR, BACKUP_KEEP_DAYS } = env;
  const made_here = !DATABASE_URL;
  if (made_here && BACKUP_COPY_DIR && !existsSync(BACKUP_COPY_DIR))
    throw new Wrong(
      `There is no folder ${resolve(BACKUP_COPY_DIR)}.`,
      'Create it, once its disk is mounted.',
    );
  const isWatched = made_here || env.backupDirNamed;
  const latest = made_here ? newestBackup(BACKUP_DIR) : newestDump(BACKUP_DIR);
  const now = new Date();
  const row = backupCheck(
    {
      made_here,
      watched: isWatched,
      plan: made_here && BACKUP_KEEP_DAYS === 0 ? 'off' : 'daily',
      started_at: (await isRunning(DATA_DIR)) ? statSync(adminSocketPath(DATA_DIR)).mtime : now,
      last_at: latest?.at ?? null,
      failed_at: null,
      copied: false,
      copy_failed_at: null,
    },
    now,
  );
  return { ...row, facts: isWatched ? [latest?.file ?? resolve(BACKUP_DIR)] : [] };
}

async function checkCertificate({ PUBLIC_URL, VENUE_TIME_ZONE }: Env): Promise<CheckRow> {
  const certificate = await readCertificate(PUBLIC_URL).catch((error: unknown) => {
    throw new Wrong(
      `${PUBLIC_URL} cannot be reached from here (${messageOf(error)}).`,
      'Check the proxy and DNS.',
    );
  });
  return { ...certificateCheck(certificate, VENUE_TIME_ZONE, new Date()), facts: [] };
}

async function rowOf(name: string, check: Check): Promise<CheckRow> {
  try {
    const result = await check();
    return typeof result === 'string'
      ? { name, health: 'well', text: result, next: null, facts: [] }
      : result;
  } catch (error) {
    const next = error instanceof Wrong ? error.next : null;
    return { name, health: 'failing', text: messageOf(error), next, facts: [] };
  }
}

/** Prints the row, and returns whether it is in trouble. */
async function report(name: string, check: Check): Promise<boolean> {
  const row = await rowOf(name, check);
  const { text, next, facts } = row;
  const words = [text, facts.length > 0 && `(${facts.join(', ')})`, next].filter(Boolean).join(' ');
  const label = isInTrouble(row) ? 'wrong:' : 'ok:';
  console.log(`  ${label.padEnd(7)}${row.name.padEnd(15)}${words.replaceAll('\n', '\n    ')}`);
  return isInTrouble(row);
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
    results.push(await report('Configuration', checkConfiguration));
    for (const [name, check] of env ? checks(env) : []) results.push(await report(name, check));
    const failures = results.filter(Boolean).length;
    console.log(failures > 0 ? `\n${failures} wrong` : '\nNothing is wrong.');
    return failures > 0 ? 1 : 0;
  },
};
