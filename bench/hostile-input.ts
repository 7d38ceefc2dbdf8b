import fc from 'fast-check';
import { prepareFuzzRun, type Role } from '../tests/support/fuzz/fuzz-run.ts';
import { createTestApp } from '../tests/support/harness/app.ts';

const requests = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? 1);
const ROLES: Role[] = ['visitor', 'member', 'staff'];
const SHOWN = 10;

const rows: string[] = [];
const findings: string[] = [];
for (const role of ROLES) {
  const app = await createTestApp();
  const run = await prepareFuzzRun(app);
  const before = JSON.stringify(await run.targetRows());
  const sampled = fc.sample(run.hostile, { numRuns: Math.ceil(requests / ROLES.length), seed });
  for (const [nth, request] of sampled.entries()) {
    const wrong = await run.send(role, request);
    if (wrong) findings.push(`${role} ${request.method} ${request.path.slice(0, 200)}: ${wrong}`);
    if (process.stderr.isTTY && nth % 100 === 0)
      process.stderr.write(`\r${role} ${nth} of ${sampled.length}  `);
  }
  if (role !== 'staff' && JSON.stringify(await run.targetRows()) !== before) {
    findings.push(`${role} changed what is stored about another member`);
  }
  const within = (from: number) =>
    [...run.statuses].reduce(
      (sum, [status, count]) => (Math.floor(status / 100) === from ? sum + count : sum),
      0,
    );
  rows.push(`| ${role} | ${sampled.length} | ${within(2)} | ${within(3)} | ${within(4)} | ${within(5)} |`);
  await app.close();
}
if (process.stderr.isTTY) process.stderr.write('\r');
console.log('| as | requests | 2xx | 3xx | 4xx | 5xx |\n| --- | ---: | ---: | ---: | ---: | ---: |');
console.log(rows.join('\n'));
console.log(`\n${findings.length} findings (seed ${seed})`);
for (const finding of findings.slice(0, SHOWN)) console.log(`- ${finding}`);
process.exit(findings.length > 0 ? 1 : 0);
