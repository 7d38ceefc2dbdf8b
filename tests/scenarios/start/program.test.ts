import { describe, expect, it } from 'vitest';
import { runCommand } from '../../support/harness/installation.ts';

const COMMANDS = [
  'start',
  'staff',
  'tiers',
  'backup',
  'restore',
  'move-to-postgres',
  'leave-test-mode',
  'stripe check',
  'stripe setup',
  'stripe smoke',
  'stripe replay',
  'sandbox clock',
];

describe('cellar-door', { timeout: 120_000 }, () => {
  it('lists its commands, each of which explains itself', async () => {
    const { code, output } = await runCommand('--help', [], {});
    expect(code).toBe(0);
    for (const name of COMMANDS) expect(output).toContain(`cellar-door ${name} `);
    for (const name of COMMANDS) {
      const help = await runCommand(name, ['--help'], {});
      expect(help.code, name).toBe(0);
      expect(help.output, name).toMatch(new RegExp(`^Usage: cellar-door ${name}`));
    }
  });

  it.each([
    ['', []],
    ['sell', []],
    ['stripe', []],
    ['start', ['--lam']],
    ['staff', ['add']],
    ['staff', ['constructor', 'a@b.test']],
    ['tiers', []],
    ['tiers', ['move']],
    ['tiers', ['move', 'a', 'b', 'c']],
    ['tiers', ['moves', 'select']],
    ['tiers', ['withdraw', 'select', 'premier']],
    ['tiers', ['set', 'select']],
    ['backup', ['one', 'two']],
    ['restore', []],
    ['leave-test-mode', ['now']],
    ['leave-test-mode', ['--sure']],
    ['stripe smoke', ['now']],
    ['sandbox clock', ['yesterday']],
  ])('refuses wrong arguments with its usage: %s %j', async (name, args) => {
    expect(await runCommand(name, args, {})).toMatchObject({
      code: 2,
      output: expect.stringContaining('Usage: cellar-door'),
    });
  });

  it('names npm’s script in the usage where npm runs it', async () => {
    const { output } = await runCommand('stripe check', ['--help'], { npm_lifecycle_event: 'stripe:check' });
    expect(output).toMatch(/^Usage: npm run stripe:check {3}/);
    const staff = await runCommand('staff', ['--help'], { npm_lifecycle_event: 'staff' });
    expect(staff.output).toContain('npm run staff -- second-factor remove EMAIL');
  });
});
