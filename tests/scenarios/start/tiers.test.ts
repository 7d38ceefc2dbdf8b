import { afterEach, describe, expect, it } from 'vitest';
import { readTierCommand } from '../../../scripts/commands/tier-arguments.ts';
import type { TierDefinition } from '../../../src/contract/tiers.ts';
import { Caller } from '../../support/harness/caller.ts';
import { makeDataFolder } from '../../support/harness/database.ts';
import {
  dataFolder,
  demoFolder,
  runCommand,
  type StartedProcess,
  startProcess,
} from '../../support/harness/installation.ts';

let folder: ReturnType<typeof dataFolder> | undefined;
let running: StartedProcess | null = null;
afterEach(async () => {
  await running?.stop('SIGKILL');
  running = null;
  folder?.remove();
});

describe('npm run tiers', { timeout: 90_000 }, () => {
  const tiers = (args: string[], env: Record<string, string> = {}) =>
    runCommand('tiers', args, { DATA_DIR: folder?.path ?? '', ...env });

  it('changes the tiers of a running server, and notifies members of a move', async () => {
    folder = await demoFolder();
    running = await startProcess({ DATA_DIR: folder.path });
    const member = new Caller(running.url, running.url);
    await member.must('POST', '/api/auth/sign-in', {
      email: 'member@demo.test',
      password: 'cellar-door-demo',
    });
    expect((await tiers(['set', 'select', '--price', '45.50', '--glasses', '5'])).code).toBe(0);
    const added = ['add', 'grand_cru', '--name', 'Grand Cru', '--description', 'The best.'];
    expect(await tiers([...added, '--price', '199', '--glasses', '10'])).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /grand_cru +Grand Cru +\$199 +10 glasses +for one +1 for guests +0 roll over +0 members +on offer/,
      ),
    });
    const offered = await member.must<TierDefinition[]>('GET', '/api/tiers');
    expect(offered[0]).toMatchObject({ tier_name: 'select', monthly_price: 45.5, monthly_pours: 5 });
    expect(offered.at(-1)).toMatchObject({ tier_name: 'grand_cru', monthly_price: 199 });
    expect(await tiers(['set', 'premier', '--glasses', '1'])).toMatchObject({
      code: 1,
      output: expect.stringContaining('would get less than they pay for'),
    });
    // The demo's members pay at the venue.
    expect((await tiers(['move', 'premier'])).output).toContain('2 pay at the venue');
    expect((await tiers(['moves'])).output).toContain('No moves are announced.');
  });

  it('changes them while no server runs, in the currency of the venue', async () => {
    const yen = { CURRENCY: 'jpy' };
    folder = dataFolder();
    await makeDataFolder(folder.path);
    await tiers(['set', 'select', '--price', '5800', '--name', 'Classic'], yen);
    await tiers(['feature', 'select'], yen);
    const { output } = await tiers(['retire', 'elite'], yen);
    expect(output).toMatch(
      /^select +Classic +¥5,800 +4 glasses +for one +1 for guests +0 roll over +0 members +on offer, recommended$/m,
    );
    expect(output).toMatch(/^elite .* retired$/m);
    expect(await tiers(['retire', 'gold'], yen)).toMatchObject({ code: 1 });
  });

  it.each([
    ['set', 'select'],
    ['add', 'gold', '--name', 'Gold'],
    ['retire'],
    ['retire', 'select', 'premier'],
    ['move'],
    ['sell', 'select'],
    ['list', '--price', '45'],
    ['set', 'select', '--color', 'red'],
  ])('explains itself when it does not understand: %s %s %s %s', (...typed) => {
    const args = typed.filter((it) => it !== undefined);
    expect(readTierCommand(args, 'usd')).toMatchObject({
      problem: expect.stringContaining('Usage: npm run tiers'),
    });
  });

  it('reads prices in the currency of the venue', () => {
    const set = (price: string, currency: string) =>
      readTierCommand(['set', 'select', '--price', price], currency);
    expect(set('45.50', 'usd')).toMatchObject({ terms: { monthly_price_cents: 4550 } });
    expect(set('5800', 'jpy')).toMatchObject({ terms: { monthly_price_cents: 5800 } });
    expect(set('45.50', 'jpy')).toEqual({ problem: '--price takes an amount in jpy, such as 45.' });
  });
});
