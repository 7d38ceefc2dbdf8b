import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const there = (path: string) => existsSync(join(root, path));

const withoutComments = (text: string) => text.replace(/^\s*#.*$/gm, '');
const known = new Set([...read('.env.example').matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));

/** Settings of glibc, about memory. */
const MEMORY = /^MALLOC_\w+$/;
type Variables = Record<string, string>;
/** The variables in lines of NAME=VALUE; a value can contain a `=`. */
const variables = (lines: string[]): Variables =>
  Object.fromEntries(lines.flatMap((it) => it.split(' ').map((pair) => pair.split(/=(.*)/s))));
const memory = (set: Variables) => Object.entries(set).filter(([name]) => MEMORY.test(name));
const unknown = (set: Variables) => Object.keys(set).filter((name) => !known.has(name) && !MEMORY.test(name));

const unit = withoutComments(read('ops/cellar-door.service'));
/** The values of a directive in the unit file, in order. */
const values = (name: string) =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, it = '']) => it);

describe('the service of systemd', () => {
  it('runs the program of a release, and names a document that it has', () => {
    expect(values('ExecStart')).toEqual(['/usr/local/bin/cellar-door start']);
    const [, document = ''] = (values('Documentation')[0] ?? '').split('/node_modules/cellar-door/');
    expect(there(document)).toBe(true);
  });

  it('sets variables that the server reads, and writes only to the folder that systemd makes for it', () => {
    const set = variables(values('Environment'));
    expect(unknown(set)).toEqual([]);
    expect(set.DATA_DIR).toBe(`/var/lib/${values('StateDirectory')[0]}`);
    expect([values('ProtectSystem'), values('NoNewPrivileges'), values('CapabilityBoundingSet')]).toEqual([
      ['strict'],
      ['true'],
      [''],
    ]);
    expect(values('MemoryDenyWriteExecute')).toEqual([]);
    // Hashing passwords lowers the priority of its thread.
    expect(values('SystemCallFilter').at(-1)).toBe('setpriority');
    // A failed update would only fail again.
    expect(values('RestartPreventExitStatus')).toEqual(['3']);
  });
});

it('the program of a release has the memory settings of npm start', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const [flag = 'none'] = /--max-semi-space-size=\d+/.exec(scripts.start ?? '') ?? [];
  expect(read('scripts/release/launcher.mjs')).toContain(`'${flag}'`);
});

describe('the image', () => {
  const containerfile = withoutComments(read('Containerfile'));
  const copied = [...containerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, it = '']) =>
    it.split(' '),
  );
  const environment = variables([...containerfile.matchAll(/^ENV (.+)$/gm)].map(([, it = '']) => it));

  it('has the Node of package.json', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: { node: string } };
    expect(containerfile).toContain(`ARG BASE=docker.io/library/node:${dependencies.node}-`);
  });

  it('has what a release has, by name, and the ignore file lets exactly this through', () => {
    // Made for each release, besides what the staging copies.
    const made = [
      'package.json',
      'sbom.json',
      'LICENSES-OF-PARTS.txt',
      'launcher.mjs',
      'dist',
      'src',
      'sandbox',
    ];
    const staged = read('scripts/release/stage.ts');
    expect(copied.filter((path) => !made.includes(path) && !staged.includes(`'${path}'`))).toEqual([]);
    expect(made.filter((path) => !copied.includes(path))).toEqual([]);
    const [first, ...passed] = withoutComments(read('.dockerignore')).split('\n').filter(Boolean);
    expect(first).toBe('*');
    expect(passed.map((it) => it.slice(1)).sort()).toEqual(copied.toSorted());
  });

  it('runs the program of a release, not as root, with variables that the server reads', () => {
    expect(containerfile).toMatch(/^CMD \["cellar-door", "start"\]$/m);
    const user = Number(/^USER (\d+)/m.exec(containerfile)?.[1]);
    expect(user).toBeGreaterThan(0);
    expect(unknown(environment)).toEqual([]);
  });

  it('has the memory settings of the service', () => {
    expect(memory(environment)).toHaveLength(1);
    expect(memory(environment)).toEqual(memory(variables(values('Environment'))));
  });
});

describe('compose.yaml', () => {
  const compose = withoutComments(read('compose.yaml'));
  const services = new Map(
    (compose.split(/^services:$/m)[1] ?? '')
      .split(/^\S/m)[0]
      ?.split(/^ {2}(?=\w)/m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf(':')), text]),
  );

  it('runs each part but the one that prepares as no root, in a file system it cannot change', () => {
    expect([...services.keys()]).toContain('backup-before-start');
    for (const [name, text] of services) {
      if (name === 'prepare') continue;
      expect(text, name).toContain('<<: *part');
      // The image of the program has its own account.
      if (name !== 'app') expect(text, name).toMatch(/^ {4}user: (postgres|"1000:1000")$/m);
    }
    expect(compose).toMatch(/^ {2}read_only: true\n {2}cap_drop: \[ALL\]\n.*no-new-privileges/m);
  });

  it('opens ports of the proxy alone, and has no password of its own', () => {
    expect([...services].filter(([, text]) => /^ {4}ports:/m.test(text)).map(([name]) => name)).toEqual([
      'caddy',
    ]);
    for (const [, value] of compose.matchAll(/PASSWORD: (.*)$/gm))
      expect(value).toMatch(/^\$\{DATABASE_PASSWORD/);
  });

  it('sets variables that the server reads', () => {
    const [, environment = ''] = /\n {4}environment:\n((?: {6}.*\n)+)/.exec(services.get('app') ?? '') ?? [];
    const names = [...environment.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = '']) => name);
    expect(names).toContain('DATABASE_URL');
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('the proxy', () => {
  const caddyfile = withoutComments(read('ops/Caddyfile'));

  it('does not compress again, hold back live updates, or trust the IP that a client claims', () => {
    expect(caddyfile).not.toMatch(/^\s*(encode|trusted_proxies)\b/m);
    expect(caddyfile).toMatch(/^\s*flush_interval -1$/m);
  });

  it('asks the same address for its health as the image does', () => {
    const [, path = ''] = /health_uri (\S+)/.exec(caddyfile) ?? [];
    expect(path).toMatch(/^\/\w+$/);
    expect(read('Containerfile')).toContain(`\${process.env.PORT}${path}\``);
  });

  it('forwards to the server’s default port', () => {
    expect(caddyfile).toContain('127.0.0.1:3000');
    expect(read('.env.example')).toContain('# Port to listen on. Default: 3000.');
  });
});
