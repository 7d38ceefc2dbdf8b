import { readFileSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { EmptyDatabase } from '../../src/server/db/embedded/empty-database.ts';
import { endWithReader } from '../commands/lost-reader.ts';
import { run } from '../serve/run.ts';
import { startArguments } from '../serve/start-arguments.ts';

// The program of a release, in which everything is built. The launcher beside it has found the right Node.
const at = (path: string) => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));

// Stored beside the program, as scripts/node-version.mjs does.
enableCompileCache(at('server/.compiled'));

const emptyDatabase = (): EmptyDatabase => ({
  folder: at('database/db'),
  sum: readFileSync(at('database/sum'), 'utf8'),
  folders: JSON.parse(readFileSync(at('database/folders.json'), 'utf8')),
  damaged: () => console.warn('The prepared empty database is damaged. Install the release again.'),
});

const args = process.argv.slice(2);
const startOf = startArguments(args);
if (startOf) {
  await run({
    ...startOf,
    prepare: () => ({
      web: Promise.resolve(),
      startsFrom: emptyDatabase(),
      load: () => import('../serve/serve.ts'),
    }),
  });
} else {
  const { runProgram } = await import('../commands/program.ts');
  endWithReader();
  // Only the demo, whose clock this moves, is outside of production.
  process.exitCode = await runProgram(args, args[0] === 'sandbox' ? {} : { NODE_ENV: 'production' });
}
