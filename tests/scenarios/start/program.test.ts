import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runProgram } from '../../../scripts/commands/program.ts';
import { runCommand } from '../../support/harness/installation.ts';

/** Runs the program in this process. */
async function run(name: string, args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = [];
  for (const kind of ['log', 'error'] as const) {
    vi.spyOn(console, kind).mockImplementation((line) => void lines.push(line));
  }
  const code = await runProgram([...name.split(' ').filter(Boolean), ...args]);
  vi.mocked(console.log).mockRestore();
  vi.mocked(console.error).mockRestore();
  return { code, output: lines.join('\n') };
}

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
  'stripe check',
  'stripe setup',
  'stripe smoke',
  'stripe replay',
  'sandbox clock',
];

beforeEach(() => {
  vi.stubEnv('npm_lifecycle_event', undefined);
  // Vitest's own value is none of the product's.
  vi.stubEnv('NODE_ENV', undefined);
});

describe('cellar-door', () => {
  it('lists its commands, each of which explains itself', async () => {
    const { code, output } = await run('--help', []);
    expect(code).toBe(0);
    for (const name of COMMANDS) expect(output).toContain(`cellar-door ${name} `);
    for (const name of COMMANDS) {
      const help = await run(name, ['--help']);
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
    expect(await run(name, args)).toMatchObject({
      code: 2,
      output: expect.stringContaining('Usage: cellar-door'),
    });
  });

  it('names npm’s script in the usage where npm runs it', async () => {
    vi.stubEnv('npm_lifecycle_event', 'stripe:check');
    expect((await run('stripe check', ['--help'])).output).toMatch(/^Usage: npm run stripe:check {3}/);
    vi.stubEnv('npm_lifecycle_event', 'staff');
    expect((await run('staff', ['--help'])).output).toContain('npm run staff -- second-factor remove EMAIL');
  });

  it('exits with the code of the command', async () => {
    expect(await runCommand('stripe', [], {})).toMatchObject({
      code: 2,
      output: expect.stringContaining('There is no command stripe'),
    });
  });
});
