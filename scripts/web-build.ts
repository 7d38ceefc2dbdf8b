import { spawn } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigurationError } from '../src/server/config/config-error.ts';

const root = resolve(import.meta.dirname, '..');
const built = join(root, 'dist/web/index.html');
const sources = ['src/web', 'src/contract', 'src/domain', 'vite.config.ts', 'package-lock.json'];

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const inside = readdirSync(path).map((name) => newest(join(path, name)));
  return Math.max(stat.mtimeMs, ...inside);
}

function isFresh(): boolean {
  try {
    const at = statSync(built).mtimeMs;
    return sources.every((source) => newest(join(root, source)) <= at);
  } catch {
    return false;
  }
}

/**
 * Builds the web app unless the last build is newer than all its sources. Production takes the build that is there, as
 * it has no build tools, and throws ConfigurationError without one. Rejects with the build's output, or when aborted.
 */
export async function ensureWebBuild(production: boolean, signal?: AbortSignal): Promise<void> {
  if (production) {
    if (existsSync(built)) return;
    throw new ConfigurationError(['The web app is not built. Run npm ci && npm run build, then start again']);
  }
  if (isFresh()) return;
  const child = spawn(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], signal },
  );
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (output += text));
  // An aborted build reports an error before it closes.
  child.on('error', (error) => (output += error.message));
  const code = await new Promise((resolved) => child.once('close', resolved));
  if (code !== 0) throw new Error(`The web app could not be built:\n${output}`);
}
