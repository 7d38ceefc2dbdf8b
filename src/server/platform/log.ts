import pino, { type DestinationStream, type Logger } from 'pino';
import type { Env } from '../config/env.ts';
import { currentRequest } from './request-scope.ts';

const SECRETS = [
  'password',
  'token',
  'access_token',
  'refresh_token',
  'secret',
  'authorization',
  'cookie',
  'email',
  'invoice_url',
];

const LOGGED_FIELDS = [
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

const MAX_CAUSES = 5;

/**
 * The product's log: one JSON line per event, on standard output by default. Errors are logged without the values that
 * caused them: a database error shows the statement but not its parameters, and its message loses emails and keys.
 * Lines about a request have its reference as `request`.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    mixin: () => {
      const request = currentRequest();
      return request ? { request: request.reference } : {};
    },
    redact: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
    serializers: { err: (error: unknown) => serializeError(error) },
  };
  return destination ? pino(options, destination) : pino(options);
}

interface SerializedError {
  type: string;
  message: string;
  stack?: string;
  cause?: SerializedError;
  [field: string]: unknown;
}

function serializeError(error: unknown, depth = 0): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error' };
  const fields = error as Error & Record<string, unknown>;
  const result: SerializedError = { type: error.constructor.name, message: messageOf(fields) };
  for (const field of LOGGED_FIELDS) {
    const value = fields[field];
    if (typeof value === 'string' || typeof value === 'number') result[field] = value;
  }
  // The first lines repeat the message with its values.
  result.stack = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  if (error.cause !== undefined && depth < MAX_CAUSES) result.cause = serializeError(error.cause, depth + 1);
  return result;
}

function messageOf(error: Error & Record<string, unknown>): string {
  // Both messages quote their input.
  if (error instanceof SyntaxError) return 'invalid JSON';
  if (typeof error.code === 'string' && /^22...$/.test(error.code)) return 'a value does not fit its column';
  return withoutValues(error.message);
}

const REDACTIONS: [RegExp, string][] = [
  // The auth library and drizzle append the values to the statement.
  [/\n?params:[\s\S]*$/i, ''],
  [/(?<![^\s"'<>(),;=:])[^\s"'<>(),;=:]+@[^\s"'<>),;]+/g, '[email]'],
  [/\b(?:sk|rk|pk|whsec|pi|seti|cs)_[A-Za-z0-9_*]{8,}/g, '[key]'],
];

function withoutValues(message: string): string {
  return REDACTIONS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), message);
}

export type LogSettings = Partial<Pick<Env, 'LOG_LEVEL' | 'NODE_ENV'>>;

const LEVELS: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

interface Output {
  isTTY?: boolean;
  write(text: string): unknown;
}

/** The destination of the log: lines for a person if the output is a terminal, except in production; otherwise JSON. */
export function logDestination({ NODE_ENV }: LogSettings, output: Output): DestinationStream | undefined {
  if (!output.isTTY || NODE_ENV === 'production') return undefined;
  return { write: (line) => void output.write(`${readableLine(line)}\n`) };
}

/** A log line in readable form: time of day, level, message, other fields, and the error below. */
export function readableLine(json: string): string {
  const {
    level,
    time,
    msg,
    err,
    pid: _,
    hostname: __,
    ...rest
  } = JSON.parse(json) as Record<string, unknown>;
  const at = new Date(Number(time)).toTimeString().slice(0, 8);
  const extras = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const head = [at, LEVELS[Number(level)] ?? level, msg, ...extras]
    .filter((it) => it !== undefined)
    .join(' ');
  return [escaped(head), ...errorLines(err)].join('\n');
}

function errorLines(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return [];
  const { type, message, stack, cause } = err as Record<string, unknown>;
  const calls = typeof stack === 'string' ? stack.split('\n').map(escaped) : [];
  return [`  ${escaped(`${type}: ${message}`)}`, ...calls, ...errorLines(cause)];
}

/** Lines can contain visitors' text: it must not start a new line or control the terminal. */
const escaped = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, codeOf);
const codeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
