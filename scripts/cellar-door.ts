import { bundled } from './builds.ts';
import { endWithReader } from './commands/lost-reader.ts';
import { startArguments } from './serve/start-arguments.ts';

// The command-line program of a clone. A command runs from the server's bundle if it is up to date, which loads four times
// as fast; otherwise from sources.
const startOf = startArguments(process.argv.slice(2));
if (startOf) {
  const { start } = await import('./start.ts');
  await start(startOf.kind, startOf.lan);
} else {
  const { runProgram }: typeof import('./commands/program.ts') = await import(
    bundled('program') ?? './commands/program.ts'
  );
  endWithReader();
  process.exitCode = await runProgram(process.argv.slice(2));
}
