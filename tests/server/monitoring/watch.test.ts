import { writeFileSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer as createTls } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SystemStatus } from '../../../src/contract/system.ts';
import { COMMAND_LINE } from '../../../src/server/audit/record-audit.ts';
import { takePermission } from '../../../src/server/auth/team/permissions.ts';
import { backupName } from '../../../src/server/db/backup/backup-plan.ts';
import { outsideBackups } from '../../../src/server/db/backup/backups.ts';
import { issueCertificate, makeAuthority } from '../../../src/server/lan/authority.ts';
import { createCertificateWatch } from '../../../src/server/monitoring/certificate.ts';
import { createHeartbeat } from '../../../src/server/monitoring/heartbeat.ts';
import { getSystemStatus } from '../../../src/server/monitoring/system-status.ts';
import { watchSystem } from '../../../src/server/monitoring/watch.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { emailsTo, mailsTo } from '../../support/fixtures/emails.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { dataFolder } from '../../support/harness/installation.ts';
import { runHere } from '../../support/harness/program.ts';

// docs/run/watch.md, "Emails about problems" and "A heartbeat".

/** A monitor elsewhere, which answers with `status` and counts the calls. */
const monitor = { calls: 0, status: 200 };
const server = createHttp((_, response) => {
  monitor.calls += 1;
  response.writeHead(monitor.status, { location: '/elsewhere' }).end();
});
let app: TestApp;
let owner: Caller;
let failedAt: Date | null;
beforeEach(async () => {
  Object.assign(monitor, { calls: 0, status: 200 });
  failedAt = null;
  await new Promise<void>((open) => server.listen(0, '127.0.0.1', open));
  app = await createTestApp({
    heartbeatUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/secret-path`,
    backups: {
      ...outsideBackups(null),
      lastBackup: () => ({
        ...outsideBackups('/backups').lastBackup(),
        made_here: true,
        last: { file: 'cellar-door.tar.gz', at: app.clock.now(), bytes: 1 },
        failed_at: failedAt,
      }),
    },
  });
  owner = await app.staff();
});
afterEach(async () => {
  await app.close();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

/** One look of a server, which has no disk of its own here, and whose payments are real. */
const look = ({ services }: Pick<TestApp, 'services'> = app) =>
  watchSystem({
    ...services,
    taskRuns: {
      ...services.taskRuns,
      get: () => ({ name: '', succeeded_at: app.clock.now(), failed_at: null, failures: 0 }),
    },
    processFacts: { ...services.processFacts, stripeMode: 'live', dataDir: null },
  });
const alerts = async (to: Caller = owner) =>
  (await emailsTo(app.services.db, to)).filter(({ cause }) => /^alert:(?!outbox)/.test(cause));

it('emails those with every permission what is wrong, since when, and what to do', async () => {
  const colleague = await app.staff();
  const taken = { user_id: colleague.id, permission: 'manage_money' } as const;
  await app.services.db.transaction((tx) =>
    takePermission(tx, { ...app.services, actor: COMMAND_LINE }, taken),
  );
  await look();
  expect(await alerts()).toEqual([]);
  failedAt = app.clock.now();
  await look();
  expect(await alerts(colleague)).toEqual([]);
  const [email, ...more] = await mailsTo(app, (await alerts())[0]?.recipient ?? '');
  expect(more).toEqual([]);
  expect(email?.subject).toBe('The daily backup is missing · Test Cellar');
  expect(email?.text).toContain('Since: June 15, 2026 at 6:00 PM');
  expect(email?.text).toContain('Look in the log for why the last one failed (“daily backup failed”).');
  expect(email?.text).toContain(`Open System: ${app.url}/staff/system`);
  expect(email?.text).toContain("You're receiving this email because you run Test Cellar.");
});

it('sends one an hour for each cause, also of several servers and after a restart', async () => {
  failedAt = app.clock.now();
  const other = { ...app, services: { ...app.services } };
  await Promise.all([look(), look(other)]);
  expect(await alerts()).toHaveLength(1);
  app.clock.advance({ minutes: 30 });
  failedAt = null;
  await look();
  failedAt = app.clock.now();
  await look(other);
  expect(await alerts()).toHaveLength(1);
  for (let minutes = 0; minutes < 35; minutes += 5) {
    app.clock.advance({ minutes: 5 });
    await look();
  }
  expect(await alerts()).toHaveLength(2);
});

it('emails once emails go out again that they did not', async () => {
  failedAt = app.clock.now();
  await look();
  app.clock.advance({ minutes: 65 });
  await look();
  const subjects = (await mailsTo(app, (await alerts())[0]?.recipient ?? '')).map(({ subject }) => subject);
  expect(subjects).toContain('Emails were not going out · Test Cellar');
  app.clock.advance({ minutes: 65 });
  await look();
  expect(monitor.calls).toBe(0);
  failedAt = null;
  await look();
  expect(monitor.calls).toBe(1);
});

it('emails about a disputed payment, and goes on calling the monitor', async () => {
  const { caller } = await cardMember(app);
  const customer = await stripeCustomerId(app.services.db, caller.id);
  const body = JSON.stringify({ customer, status: 'needs_response' });
  await fetch(`${app.sandbox.url}/_sandbox/disputes`, { method: 'POST', body });
  await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
  await look();
  expect((await alerts()).map(({ subject }) => subject)).toEqual(['A payment is disputed · Test Cellar']);
  expect(monitor.calls).toBe(1);
});

describe('dumps of a Postgres server', () => {
  let folder: ReturnType<typeof dataFolder>;
  beforeEach(() => {
    folder = dataFolder();
  });
  afterEach(() => folder.remove());
  const WHOLE = Buffer.concat([Buffer.from('PGDMP'), Buffer.alloc(90, 7), Buffer.alloc(5)]);
  const write = (hoursAgo: number, bytes: string | Buffer, { before = '', after = '' } = {}) => {
    const at = new Date(app.clock.now().getTime() - hoursAgo * 3_600_000);
    writeFileSync(join(folder.path, `${before}${backupName(at, undefined, 'dump')}${after}`), bytes);
  };
  const servicesWith = (named: string | null) => {
    const { services } = app;
    const backups = outsideBackups(named);
    // Long after the start, when the first dump is overdue.
    const startedAt = new Date(0);
    return {
      ...services,
      processFacts: { ...services.processFacts, stripeMode: 'live' as const, backups, startedAt },
    };
  };
  const watched = (named: string | null) => look({ services: servicesWith(named) });
  const subjects = async () => (await alerts()).map(({ subject }) => subject);

  it('are judged as the server’s own: the owners hear when none is made for two days', async () => {
    write(47, WHOLE);
    await watched(folder.path);
    expect(await subjects()).toEqual([]);
    expect(monitor.calls).toBe(1);
    app.clock.advance({ minutes: 60 });
    await watched(folder.path);
    expect(await subjects()).toEqual(['The daily backup is missing · Test Cellar']);
    expect(monitor.calls).toBe(1);
    write(1, WHOLE);
    await watched(folder.path);
    expect(monitor.calls).toBe(2);
  });

  it('have one next step on System, in the email and from doctor', async () => {
    write(72, WHOLE);
    const { checks } = await getSystemStatus(servicesWith(folder.path));
    const next = checks.find(({ name }) => name === 'Backup')?.next ?? '';
    expect(next).toMatch(/^Check what makes the dumps/);
    await watched(folder.path);
    const [email] = await mailsTo(app, (await alerts())[0]?.recipient ?? '');
    expect(email?.text).toContain(next);
    const { output } = await runHere('doctor', [], {
      DATA_DIR: folder.path,
      DATABASE_URL: 'postgres://club@127.0.0.1:1/club',
      BACKUP_DIR: folder.path,
      STRIPE_API_URL: app.sandbox.url,
    });
    expect(/^ {2}wrong: Backup +(.*)$/m.exec(output)?.[1]).toContain(next);
  });

  it.each([
    ['one that is still written', WHOLE, { before: '.unfinished-' }],
    ['one that is still copied', WHOLE, { after: '.partial' }],
    ['an empty file', '', undefined],
    ['one that is cut off', WHOLE.subarray(0, -1), undefined],
    ['another file by that name', 'A page of a provider that says why there is none', undefined],
  ])('%s does not count', async (_what, bytes, around) => {
    write(1, bytes, around);
    await watched(folder.path);
    expect(await subjects()).toEqual(['The daily backup is missing · Test Cellar']);
    write(2, WHOLE);
    await watched(folder.path);
    expect(monitor.calls).toBe(1);
  });

  it('that cannot be read are missing, and nobody is warned while no folder is named', async () => {
    await watched(join(folder.path, 'not-mounted'));
    expect(await subjects()).toEqual(['The daily backup is missing · Test Cellar']);
    await watched(null);
    expect(monitor.calls).toBe(1);
  });
});

describe('the heartbeat', () => {
  const state = async () => {
    const { checks } = await owner.must<SystemStatus>('GET', '/api/system');
    return checks.find(({ name }) => name === 'Heartbeat');
  };

  it('is called while all is well, and not while something is wrong', async () => {
    await look();
    expect(monitor.calls).toBe(1);
    expect(await state()).toMatchObject({ health: 'well', facts: ['Last called: just now'] });
    failedAt = app.clock.now();
    await look();
    expect(monitor.calls).toBe(1);
    failedAt = null;
    await look();
    expect(monitor.calls).toBe(2);
  });

  it('that is not taken is logged once, without its address, and follows no redirect', async () => {
    monitor.status = 302;
    await look();
    await look();
    expect(monitor.calls).toBe(2);
    const lines = app.logged.filter((line) => line.includes('heartbeat'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('status 302');
    expect(app.logged.join('\n')).not.toContain('secret-path');
    expect(await state()).toMatchObject({
      health: 'attention',
      facts: ['Last called: not since the server started'],
    });
  });

  it('waits for no monitor that is gone', async () => {
    const said: unknown[] = [];
    const log = { warn: (it: unknown) => void said.push(it) };
    const heartbeat = createHeartbeat('http://127.0.0.1:1/', { now: app.clock.now, log });
    await heartbeat.call();
    await heartbeat.call();
    expect(said).toEqual([{ reason: expect.any(String) }]);
  });
});

describe('the certificate', () => {
  it('is read once a day, also one that no browser would trust, and its end is emailed', async () => {
    const now = app.clock.now();
    const authority = await makeAuthority({ name: 'Test', now });
    const keys = await issueCertificate(authority, { hosts: ['localhost'], now });
    const tls = createTls({ key: keys.key, cert: keys.certificate });
    let connections = 0;
    tls.on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((open) => tls.listen(0, '127.0.0.1', open));
    const url = `https://localhost:${(tls.address() as AddressInfo).port}`;
    const certificate = createCertificateWatch(url, app.clock);
    app.services.certificate = certificate;
    await look();
    await look();
    const ends = certificate?.current()?.ends_at ?? now;
    expect(ends.getTime()).toBeGreaterThan(now.getTime());
    expect(connections).toBe(1);
    expect(await alerts()).toEqual([]);
    app.clock.set(new Date(ends.getTime() - 10 * 86_400_000));
    await look();
    expect(connections).toBe(2);
    expect((await alerts()).map(({ subject }) => subject)).toEqual([
      'Certificate expires soon · Test Cellar',
    ]);
    tls.close();
  });

  it('of an address that is not https is not looked for', () => {
    expect(createCertificateWatch('http://localhost:3000', app.clock)).toBeNull();
  });
});
