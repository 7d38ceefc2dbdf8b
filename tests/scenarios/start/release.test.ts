import { type ChildProcess, spawn } from 'node:child_process';
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
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildAll } from '../../../scripts/builds.ts';
import { withAllTheyNeed } from '../../../scripts/release/shipped-packages.ts';
import { stageRelease } from '../../../scripts/release/stage.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../../src/server/auth/demo-accounts.ts';
import { type OtlpReceiver, otlpReceiver } from '../../support/fakes/otlp-receiver.ts';
import { RED_DOT } from '../../support/fixtures/pictures.ts';
import { Caller } from '../../support/harness/caller.ts';
import { freePort } from '../../support/harness/free-port.ts';
import { cleanEnvironment, root, untilOpen } from '../../support/harness/installation.ts';

const PASSWORD = 'a long one of no dictionary 7';
const PRODUCTION = {
  HOST: '127.0.0.1',
  PUBLIC_URL: 'https://club.example',
  STRIPE_SECRET_KEY: 'sk_test_51NotARealKeyButOneThatLooksLikeIt',
  STRIPE_WEBHOOK_SECRET: 'whsec_not_a_real_secret',
};

let home: string;
/** The release, where npm would install it. */
let release: string;
let collector: OtlpReceiver;
const processes = new Set<ChildProcess>();

beforeAll(async () => {
  await buildAll();
  collector = await otlpReceiver();
  home = mkdtempSync(join(tmpdir(), 'cellar-door-release-'));
  release = join(home, 'lib/node_modules/cellar-door');
  stageRelease(release);
  const { dependencies } = JSON.parse(readFileSync(join(release, 'package.json'), 'utf8'));
  for (const { path } of withAllTheyNeed(root, Object.keys(dependencies))) {
    // Not those for other kinds of computer.
    if (existsSync(join(root, path))) linkPackage(join(root, path), join(release, path));
  }
}, 120_000);

afterAll(async () => {
  await collector.close();
  for (const child of processes) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

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
      cpSync(source, target);
    }
  }
}

/** Runs the program in a folder of its own. */
function run(name: string, args: string[], env: Record<string, string> = {}) {
  const cwd = join(home, name);
  mkdirSync(cwd, { recursive: true });
  const child = spawn(process.execPath, [join(release, 'launcher.mjs'), ...args], {
    cwd,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  processes.add(child);
  const ended = new Promise<number | null>((resolved) =>
    child.once('exit', (code) => {
      processes.delete(child);
      resolved(code);
    }),
  );
  return { cwd, child, ended };
}

async function start(name: string, args: string[], env: Record<string, string>) {
  const port = await freePort();
  const started = run(name, args, { ...env, PORT: String(port) });
  return { ...started, url: `http://localhost:${port}`, output: await untilOpen(started.child) };
}

async function toEnd(name: string, args: string[], env: Record<string, string> = {}) {
  const { child, ended, cwd } = run(name, args, env);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  return { code: await ended, output, cwd };
}

describe('a release', { timeout: 60_000 }, () => {
  let club: Awaited<ReturnType<typeof start>>;

  it('has JavaScript alone, with exact versions of the packages that npm installs, and their licenses', () => {
    const files = readdirSync(release, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !path.startsWith('node_modules'),
    );
    expect(files.filter((path) => /\.(tsx?|(js|css)\.map)$/.test(path))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(release, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ private: true, bin: { 'cellar-door': 'launcher.mjs' } });
    expect(manifest).not.toHaveProperty('devDependencies');
    const installed = { ...manifest.dependencies, ...manifest.optionalDependencies };
    for (const version of Object.values(installed)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    const licenses = readFileSync(join(release, 'LICENSES-OF-PARTS.txt'), 'utf8');
    for (const part of ['hono', 'better-auth', 'sharp', 'react', 'zxing-wasm', 'tailwindcss'])
      expect(licenses).toMatch(new RegExp(`^${part} \\d`, 'm'));
    expect(licenses).not.toMatch(/^(vitest|typescript|vite) \d/m);
  });

  it('starts a club, with the rest of its bundle, and makes its secret', async () => {
    const metricsPort = await freePort();
    const watched = {
      ...PRODUCTION,
      METRICS_PORT: String(metricsPort),
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    };
    const control = join(release, 'dist/database/db/global/pg_control');
    const whole = readFileSync(control);
    truncateSync(control, 100);
    club = await start('club', ['start'], watched);
    writeFileSync(control, whole);
    expect(club.output()).not.toContain('This is a demo');
    expect(club.output()).toContain('There is no staff account yet');
    // The log has a separate pipe, and may be read after the lines for the operator.
    await expect.poll(() => club.output()).toContain('Stripe test keys: payments look real to members');
    expect(existsSync(join(club.cwd, 'data/secrets.json'))).toBe(true);

    const session = await fetch(`${club.url}/api/session`);
    expect([session.status, await session.json()]).toEqual([200, { user: null }]);
    const page = await fetch(`${club.url}/login`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('<div id="root">');

    // Both are loaded on demand, so they are separate chunks of the bundle.
    expect(await (await fetch(`${club.url}/readyz`)).json()).toMatchObject({ status: 'ready' });
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    // The start itself makes one request.
    expect(metrics).toContain(
      'cellar_door_request_duration_seconds_count{call="/api/session",status="200"} 2',
    );
    await expect.poll(() => collector.spans.map((it) => it.name)).toContain('GET /api/session');
  });

  it('started where a file of the prepared empty database was cut, and says so', async () => {
    await expect.poll(() => club.output()).toContain('The prepared empty database is damaged');
  });

  it('hashes a password, decodes an upload and checks a backup with what npm installed for this machine', async () => {
    const member = new Caller(club.url, PRODUCTION.PUBLIC_URL);
    const names = { first_name: 'Ada', last_name: 'Moss' };
    await member.must('POST', '/api/auth/sign-up', {
      ...names,
      email: 'ada@example.test',
      password: PASSWORD,
    });
    await member.must('PUT', '/api/profile/photo', { content: RED_DOT, agreed: true });
    const photo = await member.raw('GET', '/api/profile/photo');
    expect([photo.status, photo.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect(await toEnd('club', ['backup'], PRODUCTION)).toMatchObject({
      code: 0,
      output: expect.stringContaining('opened and checked'),
    });
    club.child.kill('SIGTERM');
    expect(await club.ended).toBe(0);
  });

  it('names what is missing and what is misspelt in .env, and writes nothing', async () => {
    const { STRIPE_SECRET_KEY: _key, ...keyless } = PRODUCTION;
    const halves = { ...keyless, STRIPE_WEBHOOK_SECRET: 'whsec_x' };
    expect(await toEnd('keyless', ['start'], halves)).toMatchObject({
      code: 1,
      output: expect.stringContaining('STRIPE_WEBHOOK_SECRET is set without STRIPE_SECRET_KEY'),
    });
    writeFileSync(join(home, 'keyless/.env'), 'PUBLIC_ULR=https://club.example\n');
    for (const command of ['start', 'demo', 'backup']) {
      expect(await toEnd('keyless', [command], PRODUCTION)).toMatchObject({
        code: 1,
        output: expect.stringContaining('.env sets PUBLIC_ULR, which nothing reads: is it PUBLIC_URL?'),
      });
    }
    expect(readdirSync(join(home, 'keyless'))).toEqual(['.env']);
    expect((await toEnd('keyless', ['--help'])).code).toBe(0);
    expect((await toEnd('keyless', ['sell'])).code).toBe(2);
  });

  it('starts the demo beside a club without touching it, and ends with its launcher', async () => {
    mkdirSync(join(home, 'demo'));
    const variables = {
      ...PRODUCTION,
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/club',
      DATA_DIR: './club',
    };
    const lines = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
    // A variable that is set wins over the file.
    writeFileSync(join(home, 'demo/.env'), [...lines, 'CLUB_NAME=Of the file', 'DEMO_SIZE=club'].join('\n'));
    const demo = await start('demo', ['demo'], { DEMO_SIZE: 'small', PUBLIC_URL: '' });
    expect(demo.output()).toContain('This is a demo');
    expect(demo.output()).not.toContain('damaged');
    const member = new Caller(demo.url, demo.url);
    await member.must('POST', '/api/auth/sign-in', {
      email: DEMO_ACCOUNTS.member,
      password: DEMO_PASSWORD,
    });
    expect(await member.must('GET', '/api/session')).toMatchObject({ user: { email: DEMO_ACCOUNTS.member } });
    expect(await (await fetch(`${demo.url}/login`)).text()).toContain('Of the file');
    expect(readdirSync(demo.cwd).sort()).toEqual(['.env', 'demo-data']);
    demo.child.kill('SIGKILL');
    await expect
      .poll(() =>
        fetch(`${demo.url}/healthz`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
  });
});
