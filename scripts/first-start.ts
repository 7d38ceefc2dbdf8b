import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ENGINE_PROGRAM, keepCode } from '../src/server/db/embedded/engine-code.ts';

const OF_THE_SYSTEM = new Set(['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot']);

/**
 * Starts the demo in a temporary folder and stops it, so that Node has what a start runs compiled for the next one (see
 * quick-start.mjs). With a file to write, the code of the database engine is kept there; that is for a Node that optimizes each
 * function at its first call (`--no-liftoff`).
 */
const [engineCode] = process.argv.splice(2);
const dataDir = mkdtempSync(join(tmpdir(), 'cellar-door-first-start-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
// The shell that runs the build may hold the settings of a real club.
for (const name of Object.keys(process.env)) if (!OF_THE_SYSTEM.has(name)) delete process.env[name];
Object.assign(process.env, { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'error', DEMO_SIZE: 'small' });

if (engineCode) {
  const program = readFileSync(ENGINE_PROGRAM);
  // The start compiles the same bytes, for which V8 has one program with one code.
  const module = await WebAssembly.compile(program);
  await import('./start.ts');
  mkdirSync(dirname(engineCode));
  keepCode(engineCode, program, module);
} else {
  await import('./start.ts');
}
// As if it had been sent: Windows has no signals, and would end this process at once.
process.emit('SIGTERM', 'SIGTERM');
