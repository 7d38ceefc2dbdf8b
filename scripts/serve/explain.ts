import { join, resolve } from 'node:path';
import { backupFolders } from '../../src/server/config/settings.ts';
import { damagedDatabase } from '../../src/server/db/backup/data-damage.ts';
import { isDiskFull } from '../../src/server/db/disk-full.ts';

/**
 * Errors whose message says what to do. Listed by name, because a script outside the server's bundle throws its own copy of
 * the class.
 */
const EXPLAINED = [
  'BackupCheckError',
  'BackupUnusableError',
  'BuildFailedError',
  'ConfigurationError',
  'CopyError',
  'DataDamagedError',
  'DataDirInUse',
  'DatabaseTooNewError',
  'DatabaseTooOldError',
  'DatabaseUnreachableError',
  'DatabaseUnusableError',
  'DatabaseUserError',
  'FolderNotEmptyError',
  'MoveRefusedError',
  'NothingToLeave',
  'SecretsDamagedError',
  'UpdateCheckError',
  'ServerRefused',
  'UpdateFailedError',
];

/** Another start with the same release fails, too; ops/cellar-door.service knows this exit code. */
const FINAL = ['DatabaseTooNewError', 'DatabaseTooOldError', 'UpdateFailedError'];

/** The exit code of a start that failed. */
export const exitCodeOf = (error: unknown): 1 | 3 =>
  error instanceof Error && FINAL.includes(error.name) ? 3 : 1;

/**
 * The message to show for a server start or command that failed in an environment: sentences without a stack, which
 * LOG_LEVEL=debug adds.
 */
export function explain(error: unknown, env = process.env): string {
  const text = wordsFor(error, env);
  return env.LOG_LEVEL === 'debug' ? `${text}\n${withCauses(error)}` : text;
}

function wordsFor(error: unknown, env: NodeJS.Dict<string>): string {
  if (error instanceof Error && EXPLAINED.includes(error.name)) return error.message;
  if (isDiskFull(error)) {
    const { DATABASE_URL, DATA_DIR } = env;
    const folder = `of the data folder (${resolve(DATA_DIR || './data')})`;
    return (
      `The disk ${DATABASE_URL ? `of the database, or ${folder},` : folder} is full: nothing can be written.\n` +
      'Free some space there, then start again. What was stored before is still there.'
    );
  }
  const { code, port, address, path } = causeWithCode(error);
  if (code === 'EADDRINUSE') {
    const setting = String(port) === env.METRICS_PORT ? 'METRICS_PORT=9465' : 'PORT=4000';
    return `Port ${port} is taken by another program. Choose another one: ${setting}`;
  }
  if (code === 'EADDRNOTAVAIL') return `${address} is no address of this computer. Set HOST to one that is.`;
  if (code === 'EACCES' && port !== undefined)
    return `This account may not open port ${port}. Choose one from 1024 on: PORT=4000`;
  if (path !== undefined && code && FILE_REASONS[code])
    return `${resolve(path)} ${FILE_REASONS[code]}. Give it to this account, or name another, then try again.`;
  if (code && DAMAGED.has(code) && !env.DATABASE_URL)
    return damagedDatabase(dataFolderOf(env), messageOf(error), error).message;
  return `This failed: ${reasonsOf(error)}. Try again; LOG_LEVEL=debug says where, for a report.`;
}

const FILE_REASONS: NodeJS.Dict<string> = {
  EACCES: 'cannot be read or written by this account',
  EPERM: 'cannot be read or written by this account',
  EROFS: 'is on a disk that is mounted read-only',
  ENOENT: 'is not there',
  ENOTDIR: 'has a file in its path where a folder is needed',
  EEXIST: 'exists already',
  EISDIR: 'is a folder',
  EIO: 'is on a disk that fails',
};

/** Postgres' codes for damaged files: corrupted data or index, and a file that is not there. */
const DAMAGED = new Set(['XX001', 'XX002', '58P01']);

function dataFolderOf({ DATA_DIR, BACKUP_DIR, BACKUP_COPY_DIR }: NodeJS.Dict<string>) {
  const folder = DATA_DIR || './data';
  const backups = { BACKUP_DIR: BACKUP_DIR || join(folder, 'backups'), BACKUP_COPY_DIR };
  return { folder, backups: backupFolders(backups) };
}

interface Coded {
  code?: string;
  port?: number;
  address?: string;
  path?: string;
}

/** The first of an error and its causes that has a code. */
function causeWithCode(error: unknown): Coded {
  for (let cause = error; typeof cause === 'object' && cause !== null; cause = (cause as Error).cause) {
    if (typeof (cause as Coded).code === 'string') return cause as Coded;
  }
  return {};
}

/** The message of the innermost cause: those around it repeat the statement or request. */
function messageOf(error: unknown): string {
  const inner = error instanceof Error && error.cause !== undefined ? messageOf(error.cause) : '';
  return inner || lineOf(error);
}

/** The messages of an error and its causes in one line. */
function reasonsOf(error: unknown): string {
  const line = lineOf(error);
  if (!(error instanceof Error) || error.cause === undefined) return line;
  const inner = reasonsOf(error.cause);
  return line.includes(inner) ? line : `${line}: ${inner}`;
}

function lineOf(error: unknown): string {
  const { message, code, name, errno } = error as {
    message?: string;
    code?: string;
    name?: string;
    errno?: number;
  };
  if (error instanceof AggregateError && !message && error.errors.length > 0) return lineOf(error.errors[0]);
  if (error instanceof Error) return oneLine(message || code || name || 'Error');
  if (typeof error === 'object' && error !== null)
    return oneLine(message || `${name ?? 'error'} ${errno ?? ''}`);
  return oneLine(String(error));
}

const MAX_LENGTH = 300;
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().replace(/\.$/, '').slice(0, MAX_LENGTH);

/** The stack of an error and of its causes: 'fetch failed' alone says too little. */
function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\nCaused by: ${withCauses(error.cause)}`;
}
