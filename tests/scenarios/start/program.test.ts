import { describe, expect, it } from 'vitest';
import { runCommand } from '../../support/harness/installation.ts';
import { runHere } from '../../support/harness/program.ts';

const COMMANDS = [
  'start',
  'demo',
  'doctor',
  'staff',
  'tiers',
  'backup',
  'restore',
  'move-to-postgres',
  'leave-test-mode',
  'forget-secret',
  'stripe check',
  'stripe setup',
  'stripe smoke',
  'stripe replay',
  'sandbox clock',
];

describe('cellar-door', () => {
  it('lists its commands, each of which explains itself', async () => {
    const { code, output } = await runHere('--help', []);
    expect(code).toBe(0);
    for (const name of COMMANDS) expect(output).toContain(`cellar-door ${name} `);
    for (const name of COMMANDS) {
      const help = await runHere(name, ['--help']);
      expect(help.code, name).toBe(0);
      expect(help.output, name).toMatch(new RegExp(`^Usage: cellar-door ${name}`));
    }
  });

  it.each([
    ['', []],
    ['sell', []],
    ['stripe', []],
    ['start', ['--lam']],
    ['demo', ['now']],
    ['doctor', ['now']],
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
    expect(await runHere(name, args)).toMatchObject({
      code: 2,
      output: expect.stringContaining('Usage: cellar-door'),
    });
  });

  it('names npm’s script in the usage where npm runs it', async () => {
    const typedAs = async (script: string, name: string) =>
      (await runHere(name, ['--help'], { npm_lifecycle_event: script })).output;
    expect(await typedAs('stripe:check', 'stripe check')).toMatch(/^Usage: npm run stripe:check {3}/);
    expect(await typedAs('staff', 'staff')).toContain('npm run staff -- second-factor remove EMAIL');
  });

  it('says its version', async () => {
    expect(await runHere('--version', [])).toEqual({
      code: 0,
      output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  it('ends quietly once nobody reads on, as after `| head`', async () => {
    const { code, output } = await runCommand('', ['--help'], {}, { readsOn: false });
    expect([code, output]).toEqual([0, '']);
  });

  it('exits with the code of the command', async () => {
    expect(await runCommand('stripe', [], {})).toMatchObject({
      code: 2,
      output: expect.stringContaining('There is no command stripe'),
    });
  });
});
