import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeDataFolder } from '../../../support/harness/database.ts';
import { dataFolder, root } from '../../../support/harness/installation.ts';

/** Asks new statements for as long as it takes V8 to compile what they run most, the parser first. */
const ASK = `
  const { openEngine } = await import('./src/server/db/embedded/engine.ts');
  const engine = await openEngine({ dataDir: process.argv[1] });
  for (let id = 0; id < 300; id += 1) await engine.query(\`select relname from pg_class where oid = \${id}\`);
  await engine.close();
`;

it('takes no more than 100 MB to compile a function of the engine again', async () => {
  const folder = dataFolder();
  try {
    await makeDataFolder(folder.path);
    const flags = ['--trace-wasm-compilation-times', '--wasm-sync-tier-up', '--wasm-tiering-budget=20000000'];
    const code = ['--input-type=module', '-e', ASK, join(folder.path, 'db')];
    const output = execFileSync(process.execPath, [...flags, ...code], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64e6,
    });
    const bytes = Array.from(output.matchAll(/using TurboFan, took \d+ ms and (\d+) /g), ([, it]) =>
      Number(it),
    );
    expect(bytes.length).toBeGreaterThan(0);
    expect(Math.max(...bytes)).toBeLessThan(100e6);
  } finally {
    folder.remove();
  }
});
