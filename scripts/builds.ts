import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '../src/server/config/config-error.ts';
import {
  checksumOf,
  type EmptyDatabase,
  type EngineFiles,
} from '../src/server/db/embedded/empty-database.ts';

const root = resolve(import.meta.dirname, '..');

interface Build {
  name: string;
  /** A folder, and the file in it whose age shows whether the build is up to date. */
  folder: string;
  result: string;
  sources: string[];
  /** A Node program and its arguments, which writes to the given folder. */
  command(folder: string): string[];
  env?: Record<string, string>;
}

const vite = 'node_modules/vite/bin/vite.js';

const WEB: Build = {
  name: 'The web app',
  folder: 'dist/web',
  result: 'index.html',
  sources: [
    'src/web',
    'src/contract',
    'src/domain',
    'docs/handbook',
    'src/server/http/pages/web-build.ts',
    'scripts/web-build',
    'vite.config.ts',
    'package-lock.json',
  ],
  // More room for new objects, so that fewer are kept and marked, saves a tenth of the build's time.
  command: (folder) => ['--max-semi-space-size=32', vite, 'build', '--logLevel', 'warn', '--outDir', folder],
};

/** The web app with the smallest files, which take longer than the rest of its build. */
const SMALLEST_WEB: Build = { ...WEB, result: '.smallest', env: { SMALLEST_WEB: '1' } };

/**
 * The entries of the server's bundle by name: the start, the demo, the operator's program, the one of a release, and
 * threads.
 */
export const BUNDLED: Record<string, string> = {
  serve: 'scripts/serve/serve.ts',
  demo: 'scripts/demo/demo.ts',
  program: 'scripts/commands/program.ts',
  released: 'scripts/release/released.ts',
  'hash-worker': 'src/server/auth/password/hash-worker.ts',
  'inspect-worker': 'src/server/db/backup/inspect-worker.ts',
};

/** Packages that are not in the bundle: they bring native code, WebAssembly or files of their own. */
export const NOT_BUNDLED = ['@electric-sql/pglite', '@node-rs/argon2', 'pg', 'sharp'];

const SERVER: Build = {
  name: 'The server',
  folder: 'dist/server',
  result: 'serve.js',
  sources: [
    'src/server',
    'src/contract',
    'src/domain',
    'sandbox',
    'scripts',
    'vite.server.config.ts',
    'package-lock.json',
  ],
  command: (folder) => [
    vite,
    'build',
    '-c',
    'vite.server.config.ts',
    '--logLevel',
    'warn',
    '--outDir',
    folder,
  ],
};

/** An empty database with all tables: copying it is much faster than creating one. */
const DATABASE: Build = {
  name: 'The empty database',
  folder: 'dist/database',
  result: 'sum',
  sources: ['src/server/db', 'scripts/empty-database.ts', 'package-lock.json'],
  command: (folder) => ['scripts/empty-database.ts', folder],
};

const EMPTY = join(root, DATABASE.folder, 'db');

/** 0 for missing files: an installation ships without the sandbox and the sources of the web app. */
function newest(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  const times = readdirSync(path).map((name) => newest(join(path, name)));
  return Math.max(stat.mtimeMs, ...times);
}

function isFresh({ folder, result, sources }: Build): boolean {
  try {
    const at = statSync(join(root, folder, result)).mtimeMs;
    return sources.every((source) => newest(join(root, source)) <= at);
  } catch {
    return false;
  }
}

/** Runs a build in a temporary folder that replaces the build's own at the end: an aborted build leaves nothing. */
async function run(build: Build, signal?: AbortSignal): Promise<void> {
  const folder = join(root, build.folder);
  const draft = `${folder}.${process.pid}`;
  try {
    await runNode(build, build.command(draft), signal);
    rmSync(folder, { recursive: true, force: true });
    try {
      renameSync(draft, folder);
    } catch (error) {
      // Another process may have finished the same build first.
      if (!isFresh(build)) throw error;
    }
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A build failed; the message holds its output. */
class BuildFailedError extends Error {
  override name = 'BuildFailedError';
}

/** Rejects with the program's output if it fails. */
async function runNode({ name, env }: Build, parameters: string[], signal?: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, parameters, {
    cwd: root,
    // Always set: a test that builds has another value, with which the page would get React's development build.
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  // The server that starts beside a build is one thread, and takes longer. With 4 both end together on two processors; with
  // less the build delays the server, with more the server waits for the build.
  if (child.pid) setPriority(child.pid, 4);
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  // An aborted build reports an error before it closes.
  child.on('error', (error) => (output += error.message));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new BuildFailedError(`${name} could not be built:\n${output}`);
}

/** Builds whatever has changed or is damaged. Rejects with the output of a failed build. */
export async function buildAll(): Promise<void> {
  const isWhole = () => existsSync(EMPTY) && checksumOf(EMPTY) === sumOfEmpty();
  for (const build of [SMALLEST_WEB, SERVER, DATABASE]) {
    if (!isFresh(build) || (build === DATABASE && !isWhole())) await run(build);
  }
}

const sumOfEmpty = () => readFileSync(join(root, DATABASE.folder, DATABASE.result), 'utf8');

/** The path of a BUNDLED module from the last build; null if its sources are newer and should run directly. */
export function bundled(name: string): string | null {
  return isFresh(SERVER) ? join(root, SERVER.folder, `${name}.js`) : null;
}

export interface Builds {
  /** Resolves when the web app is ready; rejects if it cannot be built, or if the build was stopped. */
  web: Promise<void>;
  /** The empty database if it is up to date; otherwise the engine's files, or in production nothing. */
  startsFrom: EmptyDatabase | EngineFiles | null;
}

/**
 * Prepares what a start needs. Production has no build tools: it uses what is there, and throws ConfigurationError without
 * a web app. Elsewhere, a web app with changed sources is rebuilt. A damaged empty database is rebuilt for the next start;
 * in production, npm run build does this.
 */
export function prepareBuilds(production: boolean, signal?: AbortSignal): Builds {
  const emptyDatabase = isFresh(DATABASE)
    ? {
        folder: EMPTY,
        sum: sumOfEmpty(),
        damaged() {
          if (production) console.warn('The prepared empty database is damaged. Run npm run build again.');
          else run(DATABASE, signal).catch(() => undefined);
        },
      }
    : null;
  const unpack = async (to: string) => (await import('./engine-files.ts')).unpackEngineFiles(to);
  if (production && !existsSync(join(root, WEB.folder, WEB.result))) {
    throw new ConfigurationError(['The web app is not built. Run npm ci && npm run build, then start again']);
  }
  const isBuilt = production || isFresh(WEB);
  return {
    web: isBuilt ? Promise.resolve() : run(WEB, signal),
    startsFrom: emptyDatabase ?? (production ? null : { unpack }),
  };
}
