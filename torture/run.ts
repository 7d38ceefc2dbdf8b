import { readOptions, type TortureOptions } from './options.ts';
import type { Progress, Report } from './report.ts';

interface Scenario {
  defaults: TortureOptions;
  run(options: TortureOptions, progress: Progress): Promise<Report>;
}

const SCENARIOS: Record<string, () => Promise<Scenario>> = {
  crash: async () => (await import('./scenarios/crash.ts')).crash,
  race: async () => (await import('./scenarios/race.ts')).race,
  faults: async () => (await import('./scenarios/faults.ts')).faults,
  failover: async () => (await import('./scenarios/failover.ts')).failover,
};

const [name = '', ...rest] = process.argv.slice(2);
const load = SCENARIOS[name];
if (!load) {
  console.error(
    `Usage: npm run torture -- <name> [--rounds N] [--seconds N] [--seed N], one of: ${Object.keys(SCENARIOS).join(', ')}. ` +
      'torture/README.md describes them.',
  );
  process.exit(2);
}
const scenario = await load();
const options = readOptions(rest, scenario.defaults);
const startedAt = performance.now();
const at = () => `${((performance.now() - startedAt) / 1000).toFixed(0).padStart(5)} s  `;
console.log(
  `${name}: ${Object.entries(options)
    .map(([key, value]) => `${key} ${value}`)
    .join(', ')}`,
);
const { facts, violations } = await scenario.run(options, (line) => console.log(at() + line));
console.log(`\n${name}, ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
for (const fact of facts) console.log(`  ${fact}`);
if (violations.length === 0) console.log('  No violation.');
else console.log(`  ${violations.length} violations:`);
for (const violation of violations.slice(0, 20)) console.log(`  ! ${violation}`);
if (violations.length > 20) console.log(`  ! and ${violations.length - 20} more`);
process.exit(violations.length === 0 ? 0 : 1);
