import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAll } from '../../../scripts/builds.ts';
import { type OtlpReceiver, otlpReceiver } from '../../support/fakes/otlp-receiver.ts';
import { RED_DOT } from '../../support/fixtures/pictures.ts';
import { Caller } from '../../support/harness/caller.ts';
import { freePort } from '../../support/harness/free-port.ts';
import { type NpmStart, root, startThroughNpm } from '../../support/harness/installation.ts';

/** The files of a production machine: no sources of the web app, sandbox, tests or build tools. */
const SHIPPED = [
  'package.json',
  'package-lock.json',
  'scripts',
  'src/server',
  'src/contract',
  'src/domain',
  'dist',
];

const PASSWORD = 'a long one of no dictionary 7';
const PRODUCTION = {
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://club.example',
  AUTH_SECRET: 'a-secret-for-tests-of-32-characters!',
  STRIPE_SECRET_KEY: 'sk_test_51NotARealKeyButOneThatLooksLikeIt',
  STRIPE_WEBHOOK_SECRET: 'whsec_not_a_real_secret',
};

let installed: string;
let started: NpmStart | undefined;
let collector: OtlpReceiver;

beforeAll(async () => {
  await buildAll();
  collector = await otlpReceiver();
  installed = mkdtempSync(join(tmpdir(), 'cellar-door-production-'));
  for (const path of SHIPPED) cpSync(join(root, path), join(installed, path), { recursive: true });
  installProductionPackages(installed);
}, 120_000);

afterAll(async () => {
  await collector.close();
  for (const pid of [started?.serverPid, started?.npm.pid]) if (pid) killIfAlive(pid);
  rmSync(installed, { recursive: true, force: true });
});

function installProductionPackages(folder: string): void {
  interface Lock {
    packages: Record<string, { dev?: boolean }>;
  }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  for (const [path, { dev }] of Object.entries(packages)) {
    if (path === '' || dev || !existsSync(join(root, path))) continue;
    linkPackage(join(root, path), join(folder, path));
  }
  const runtime = join('node_modules', '.bin', 'node');
  cpSync(join(root, runtime), join(folder, runtime), { verbatimSymlinks: true });
}

/** Links the files of one package, without nested packages. Copies if the two are on different disks. */
function linkPackage(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') linkPackage(source, target);
      continue;
    }
    mkdirSync(dirname(target), { recursive: true });
    try {
      linkSync(source, target);
    } catch {
      cpSync(source, target, { verbatimSymlinks: true });
    }
  }
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process has ended.
  }
}

describe('a production installation', { timeout: 60_000 }, () => {
  it('starts without packages for development and without the sandbox', async () => {
    for (const absent of ['sandbox', 'src/web', 'node_modules/vite', 'node_modules/smtp-server']) {
      expect(existsSync(join(installed, absent)), absent).toBe(false);
    }
    const metricsPort = await freePort();
    const watched = {
      ...PRODUCTION,
      METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    };
    started = await startThroughNpm(join(installed, 'data'), watched, installed);
    expect(started.output()).not.toContain('This is a demo');
    // The log has a separate pipe, and may be read after the lines for the operator.
    await expect.poll(() => started?.output()).toContain('Stripe test keys: payments look real to members');

    const session = await fetch(`${started.url}/api/session`);
    expect([session.status, await session.json()]).toEqual([200, { user: null }]);
    const page = await fetch(`${started.url}/login`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="root">');

    // Both are loaded on demand, so they are separate chunks of the bundle.
    expect(await (await fetch(`${started.url}/readyz`)).json()).toMatchObject({ status: 'ready' });
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    // The start itself makes one request.
    expect(metrics).toContain(
      'cellar_door_request_duration_seconds_count{call="/api/session",status="200"} 2',
    );
    await expect.poll(() => collector.spans.map((it) => it.name)).toContain('GET /api/session');
  });

  it('decodes an upload with the library that was installed for this machine', async () => {
    const member = new Caller(started?.url ?? '', PRODUCTION.PUBLIC_URL);
    const names = { first_name: 'Ada', last_name: 'Moss' };
    await member.must('POST', '/api/auth/sign-up', {
      ...names,
      email: 'ada@example.test',
      password: PASSWORD,
    });
    await member.must('PUT', '/api/profile/photo', { content: RED_DOT, agreed: true });
    const photo = await member.raw('GET', '/api/profile/photo');
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/webp']);
  });

  it('starts where a file of the prepared empty database was cut, and says so', async () => {
    for (const pid of [started?.serverPid, started?.npm.pid]) if (pid) killIfAlive(pid);
    truncateSync(join(installed, 'dist/database/db/global/pg_control'), 100);
    started = await startThroughNpm(join(installed, 'other-data'), PRODUCTION, installed);
    await expect.poll(() => started?.output()).toContain('The prepared empty database is damaged');
    expect((await fetch(`${started.url}/readyz`)).status).toBe(200);
  });

  it('never falls back to the demo: without keys it names what is missing', async () => {
    const { STRIPE_SECRET_KEY: _key, ...keyless } = PRODUCTION;
    await expect(startThroughNpm(join(installed, 'keyless'), keyless, installed)).rejects.toThrow(
      'STRIPE_SECRET_KEY is required when NODE_ENV is production',
    );
  });
});
