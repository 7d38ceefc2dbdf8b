import { resolve } from 'node:path';
import { isDiskFull } from '../../src/server/db/disk-full.ts';

/**
 * Errors whose message says what to do. Listed by name, because a script outside the server's bundle throws its own copy of
 * the class.
 */
const EXPLAINED = [
  'BackupUnusableError',
  'ConfigurationError',
  'DataDirInUse',
  'DatabaseTooNewError',
  'DatabaseTooOldError',
  'DatabaseUnreachableError',
  'DatabaseUserError',
  'FolderNotEmptyError',
  'MoveRefusedError',
  'NothingToLeave',
  'ServerRefused',
  'UpdateFailedError',
];

/** Another start with the same release fails, too; ops/cellar-door.service knows this exit code. */
const FINAL = ['DatabaseTooNewError', 'DatabaseTooOldError', 'UpdateFailedError'];

/** The exit code of a start that failed. */
export const exitCodeOf = (error: unknown): 1 | 3 =>
  error instanceof Error && FINAL.includes(error.name) ? 3 : 1;

/** The message to show for a server start or command that failed in an environment. */
export function explain(error: unknown, env = process.env): string {
  if (error instanceof Error && EXPLAINED.includes(error.name)) return error.message;
  if (isDiskFull(error)) {
    const { DATABASE_URL, DATA_DIR } = env;
    const folder = `of the data folder (${resolve(DATA_DIR || './data')})`;
    return (
      `The disk ${DATABASE_URL ? `of the database, or ${folder},` : folder} is full: nothing can be written.\n` +
      'Free some space there, then start again. What was stored before is still there.'
    );
  }
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') {
    const setting = String(port) === env.METRICS_PORT ? 'METRICS_PORT=9465' : 'PORT=4000';
    return `Port ${port} is taken by another program. Choose another one: ${setting}`;
  }
  return withCauses(error);
}

/** The stack of an error and of its causes: 'fetch failed' alone says too little. */
function withCauses(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.stack ?? error.message;
  return error.cause === undefined ? text : `${text}\nCaused by: ${withCauses(error.cause)}`;
}
