import { bundled } from './builds.ts';

// Runs the command whose name comes first: from the server's bundle while that is up to date, which loads four times as
// fast, otherwise as it is.
const [name = ''] = process.argv.splice(2, 1);
await import(bundled(name) ?? `./commands/${name}.ts`);
