import { readdirSync } from 'node:fs';

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -3));

const [name = '', ...rest] = process.argv.slice(2);
if (!names.includes(name)) {
  console.error(
    `Usage: npm run bench -- <name> [arguments], one of: ${names.join(', ')}. bench/README.md describes them.`,
  );
  process.exit(2);
}
// A benchmark reads its own arguments, as if started directly.
process.argv.splice(2, process.argv.length, ...rest);
await import(`./${name}.ts`);
