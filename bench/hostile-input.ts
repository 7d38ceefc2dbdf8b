import fc from 'fast-check';
import { layOut, type Role } from '../tests/support/fuzz/siege.ts';
import { createTestApp } from '../tests/support/harness/app.ts';

const requests = Number(process.argv[2] ?? 20_000);
const seed = Number(process.argv[3] ?? 1);
const ROLES: Role[] = ['visitor', 'member', 'staff'];
const SHOWN = 10;

const rows: string[] = [];
const findings: string[] = [];
for (const role of ROLES) {
  const app = await createTestApp();
  const siege = await layOut(app);
  const before = JSON.stringify(await siege.victim());
  const attacks = fc.sample(siege.attacks, { numRuns: Math.ceil(requests / ROLES.length), seed });
  for (const [nth, attack] of attacks.entries()) {
    const wrong = await siege.send(role, attack);
    if (wrong) findings.push(`${role} ${attack.method} ${attack.path.slice(0, 200)}: ${wrong}`);
    if (process.stderr.isTTY && nth % 100 === 0)
      process.stderr.write(`\r${role} ${nth} of ${attacks.length}  `);
  }
  if (role !== 'staff' && JSON.stringify(await siege.victim()) !== before) {
    findings.push(`${role} changed what is stored about another member`);
  }
  const within = (from: number) =>
    [...siege.statuses].reduce(
      (sum, [status, count]) => (Math.floor(status / 100) === from ? sum + count : sum),
      0,
    );
  rows.push(`| ${role} | ${attacks.length} | ${within(2)} | ${within(3)} | ${within(4)} | ${within(5)} |`);
  await app.close();
}
if (process.stderr.isTTY) process.stderr.write('\r');
console.log('| as | requests | 2xx | 3xx | 4xx | 5xx |\n| --- | ---: | ---: | ---: | ---: | ---: |');
console.log(rows.join('\n'));
console.log(`\n${findings.length} findings (seed ${seed})`);
for (const finding of findings.slice(0, SHOWN)) console.log(`- ${finding}`);
process.exit(findings.length > 0 ? 1 : 0);
