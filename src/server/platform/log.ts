import pino, { type DestinationStream, type Logger } from 'pino';

/** Fields that are never written, whoever logs an object that has them. */
const SECRETS = ['password', 'token', 'secret', 'authorization', 'cookie', 'email'];

/** What an error may say beside its message: where and of what kind, never with which values. */
const FACTS = [
  'code',
  'status',
  'statusCode',
  'constraint',
  'table',
  'column',
  'routine',
  'requestId',
  'syscall',
];

const MOST_CAUSES = 5;

/**
 * The log of the product, one JSON line for each event; to the standard output unless told otherwise. What goes
 * wrong is told without the values it went wrong with: a database's error names the statement and not its
 * parameters, and addresses and keys in anybody's words are left out.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    serializers: { err: (error: unknown) => toldError(error) },
  };
  return destination ? pino(options, destination) : pino(options);
}

interface ToldError {
  type: string;
  message: string;
  stack?: string;
  cause?: ToldError;
  [fact: string]: unknown;
}

function toldError(error: unknown, depth = 0): ToldError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' };
  const known = error as Error & Record<string, unknown>;
  const told: ToldError = { type: error.constructor.name, message: messageOf(known) };
  for (const fact of FACTS) {
    const value = known[fact];
    if (typeof value === 'string' || typeof value === 'number') told[fact] = value;
  }
  // Its first lines repeat the message, values and all.
  told.stack = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  if (error.cause !== undefined && depth < MOST_CAUSES) told.cause = toldError(error.cause, depth + 1);
  return told;
}

function messageOf(error: Error & Record<string, unknown>): string {
  // Both quote what they were given.
  if (error instanceof SyntaxError) return 'something is not JSON';
  if (typeof error.code === 'string' && /^22...$/.test(error.code)) return 'a value does not fit its column';
  return withoutValues(error.message);
}

const UNSPEAKABLE: [RegExp, string][] = [
  // The identity library and drizzle put the values behind the statement.
  [/\n?params:[\s\S]*$/i, ''],
  [/[^\s"'<>(=:]+@[^\s"'<>),;]+/g, '[address]'],
  [/\b(?:sk|rk|pk|whsec|pi|seti|cs)_[A-Za-z0-9_*]{8,}/g, '[key]'],
];

/** The words of an error without mail addresses, keys, and credentials in addresses. */
function withoutValues(message: string): string {
  return UNSPEAKABLE.reduce((text, [pattern, instead]) => text.replace(pattern, instead), message);
}
