import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEmbedded } from '../../../src/server/db/client.ts';
import { Caller } from '../../support/harness/caller.ts';
import {
  dataFolder,
  runCommand,
  type StartedProcess,
  startProcess,
} from '../../support/harness/installation.ts';
import { runHere } from '../../support/harness/program.ts';

let folder: ReturnType<typeof dataFolder>;
let running: StartedProcess | null = null;
beforeEach(() => {
  folder = dataFolder();
});
afterEach(async () => {
  await running?.stop('SIGKILL');
  running = null;
  folder.remove();
});

const POSTGRES = { DATABASE_URL: 'postgres://nobody@localhost/club' };

describe('npm run backup and npm run restore', { timeout: 120_000 }, () => {
  it('restore a demo to its earlier state, with and without a running server', async () => {
    const env = { DATA_DIR: folder.path };
    running = await startProcess(env);
    const taken = await runHere('backup', [], env);
    expect(taken).toMatchObject({ code: 0, output: expect.stringContaining('opened and checked') });
    expect(taken.output).toContain('because AUTH_SECRET is not set');
    const [name = ''] = readdirSync(join(folder.path, 'backups'));
    const file = join(folder.path, 'backups', name);
    expect(await runHere('restore', [file, '--replace'], env)).toMatchObject({
      code: 1,
      output: expect.stringContaining('is using'),
    });

    const member = new Caller(running.url, running.url);
    const someone = {
      email: 'late@example.test',
      first_name: 'Too',
      last_name: 'Late',
      phone: '+43 1 234567',
    };
    await member.must('POST', '/api/auth/sign-up', { ...someone, password: 'correct horse' });
    await running.stop('SIGKILL');
    running = null;

    // A killed server leaves its files in their last state; they are copied with their log.
    const byHand = join(folder.path, 'by-hand');
    expect(await runHere('backup', [byHand], env)).toMatchObject({ code: 0 });
    expect(readdirSync(byHand)).toHaveLength(1);
    expect((await runHere('restore', [file], env)).output).toContain('holds data already');
    expect(await runCommand('restore', [file, '--replace'], env)).toMatchObject({ code: 0 });
    expect(existsSync(join(folder.path, 'sandbox'))).toBe(true);
    const { db, close } = await openEmbedded(folder.path);
    const { rows } = (await db.execute('select email from profiles order by 1')) as {
      rows: { email: string }[];
    };
    await close();
    expect(rows.map(({ email }) => email)).toContain('member@demo.test');
    expect(rows.map(({ email }) => email)).not.toContain(someone.email);
  });

  it('say what to do if they cannot help', async () => {
    expect((await runHere('backup', [], POSTGRES)).output).toMatch(/Postgres server.*pg_dump.*pgBackRest/s);
    expect((await runHere('restore', ['x'], POSTGRES)).output).toContain('restore there');
    expect((await runHere('move-to-postgres', [], { DATA_DIR: folder.path })).output).toContain(
      'DATABASE_URL=postgres://',
    );
    const missing = await runHere('restore', [join(folder.path, 'none')], {
      DATA_DIR: join(folder.path, 'new'),
    });
    expect(missing).toMatchObject({ code: 1, output: expect.stringContaining('There is no file') });
  });
});
