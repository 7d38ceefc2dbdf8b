import { bundled } from './builds.ts';

// The command-line program of a clone. A command runs from the server's bundle if it is up to date, which loads four times
// as fast; otherwise from sources.
const [name, ...args] = process.argv.slice(2);
if (name === 'start' && ['', '--lan'].includes(args.join(' '))) {
  process.argv.splice(2, 1);
  await import('./start.ts');
} else {
  const { runProgram }: typeof import('./commands/program.ts') = await import(
    bundled('program') ?? './commands/program.ts'
  );
  process.exitCode = await runProgram(process.argv.slice(2));
}
