import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What holds no measurement of its own: this file, and the parts that others are built from. */
const PARTS = /^(run|scanner-.+|timing|crowd)\.ts$/;

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !PARTS.test(file))
  .map((file) => file.slice(0, -3));

const [name = '', ...rest] = process.argv.slice(2);
if (!names.includes(name) || !existsSync(join(import.meta.dirname, `${name}.ts`))) {
  console.error(
    `Which one? npm run bench -- <name>, one of: ${names.join(', ')}. They are described in bench/README.md.`,
  );
  process.exit(1);
}
// The measurements read their own arguments, as if they had been started by themselves.
process.argv.splice(2, process.argv.length, ...rest);
await import(`./${name}.ts`);
