import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Files that are no benchmark: this one, and the parts that benchmarks share. */
const PARTS = /^(run|scanner-.+|timing|crowd|members)\.ts$/;

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !PARTS.test(file))
  .map((file) => file.slice(0, -3));

const [name = '', ...rest] = process.argv.slice(2);
if (!names.includes(name) || !existsSync(join(import.meta.dirname, `${name}.ts`))) {
  console.error(
    `Usage: npm run bench -- <name>, one of: ${names.join(', ')}. bench/README.md describes them.`,
  );
  process.exit(1);
}
// A benchmark reads its own arguments, as if it had been started directly.
process.argv.splice(2, process.argv.length, ...rest);
await import(`./${name}.ts`);
