import { afterEach, describe, expect, it } from 'vitest';
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

const tiers = (...args: string[]) => runCommand('tiers', args, { DATA_DIR: folder?.path ?? '' });

describe('npm run tiers', { timeout: 90_000 }, () => {
  it('moves the members of a tier in a running server', async () => {
    folder = await demoFolder();
    running = await startProcess({ DATA_DIR: folder.path });
    // The demo's members pay at the venue.
    expect((await tiers('move', 'premier')).output).toContain('2 pay at the venue');
    expect((await tiers('move', 'member@demo.test', 'elite')).output).toContain('1 pay at the venue');
    expect((await tiers('moves')).output).toContain('No moves are announced.');
    expect(await tiers('withdraw', 'member@demo.test')).toMatchObject({
      code: 0,
      output: expect.stringContaining('0 withdrawn'),
    });
    expect(await tiers('move', 'gold')).toMatchObject({
      code: 1,
      output: expect.stringContaining('no such tier'),
    });
  });

  it('does so while no server runs', async () => {
    folder = dataFolder();
    await makeDataFolder(folder.path);
    expect(await tiers('move', 'select')).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^0 notified by email/),
    });
    expect(await tiers('move', 'nobody@demo.test')).toMatchObject({
      code: 1,
      output: expect.stringContaining('no such member'),
    });
  });
});
