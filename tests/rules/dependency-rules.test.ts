import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const biome = join(root, 'node_modules/.bin/biome');
const imports = 'lint/style/noRestrictedImports';
const plugin = 'plugin';

type Case = { file: string; code: string; rule?: string };

/** Each line breaks a rule once; the linter must name it. */
const breaches: Case[] = [
  { file: 'src/domain/a.ts', code: `export { x } from 'zod';`, rule: imports },
  { file: 'src/domain/b.ts', code: `export { x } from 'node:crypto';`, rule: imports },
  { file: 'src/domain/c.ts', code: `export { x } from '../contract/pours.ts';`, rule: imports },
  { file: 'src/domain/deep/d.ts', code: `export { x } from '../../server/db/client.ts';`, rule: imports },
  { file: 'src/domain/e.ts', code: `export const x = import('uuid');`, rule: imports },
  {
    file: 'src/domain/f.ts',
    code: `import type { X } from '@orpc/contract';\nexport type Y = X;`,
    rule: imports,
  },
  { file: 'src/domain/g.ts', code: 'export const x = Date.now();', rule: plugin },
  { file: 'src/domain/h.ts', code: 'export const x = new Date();', rule: plugin },
  { file: 'src/domain/i.ts', code: 'export const x = Math.random();', rule: plugin },
  { file: 'src/domain/j.ts', code: 'export const x = crypto.randomUUID();', rule: plugin },
  { file: 'src/web/today.ts', code: 'export const x = new Date();', rule: plugin },
  { file: 'src/web/now.ts', code: 'export const x = Date.now();', rule: plugin },
  { file: 'src/domain/k.ts', code: 'export const clock = { now: Date.now };', rule: plugin },
  { file: 'src/contract/a.ts', code: `export { x } from '@orpc/server';`, rule: imports },
  { file: 'src/contract/b.ts', code: `export { x } from 'node:fs';`, rule: imports },
  { file: 'src/contract/c.ts', code: `export { x } from '../server/app.ts';`, rule: imports },
  { file: 'src/contract/d.ts', code: `export { x } from '../web/main.tsx';`, rule: imports },
  { file: 'src/server/a.ts', code: `export { x } from '../web/main.tsx';`, rule: imports },
  { file: 'src/server/b.ts', code: `export { x } from '../../sandbox/payments/app.ts';`, rule: imports },
  { file: 'src/server/c.ts', code: `export { x } from '../../scripts/start.ts';`, rule: imports },
  {
    file: 'src/server/billing/d.ts',
    code: `export { x } from '../../../tests/support/harness/app.ts';`,
    rule: imports,
  },
  { file: 'src/server/db/c.ts', code: `export { eq } from 'drizzle-orm';`, rule: imports },
  { file: 'src/server/db/d.ts', code: `export { text } from 'drizzle-orm/pg-core';`, rule: imports },
  { file: 'src/server/e.ts', code: 'export const x = process.env.PORT;', rule: 'lint/style/noProcessEnv' },
  { file: 'src/server/f.ts', code: `console.log('poured');`, rule: 'lint/suspicious/noConsole' },
  { file: 'src/server/g.ts', code: 'export const x = new Date();', rule: plugin },
  { file: 'src/server/h.ts', code: 'export const x = Date.now();', rule: plugin },
  {
    file: 'src/server/billing/j.ts',
    code: "export const page = (card: boolean) => ({ mode: 'payment', ...(card ? { methods: ['card'] } : {}) });",
    rule: plugin,
  },
  {
    file: 'src/server/billing/gifts/k.ts',
    code: "export const page = (card: boolean) => ({ ...(card && { methods: ['card'] }), mode: 'payment' });",
    rule: plugin,
  },
  { file: 'src/web/a.ts', code: `export { x } from '../server/app.ts';`, rule: imports },
  { file: 'src/web/features/b.tsx', code: `export { x } from '../../server/app.ts';`, rule: imports },
  { file: 'src/web/c.ts', code: `export { x } from 'node:fs/promises';`, rule: imports },
  { file: 'src/web/d.ts', code: `export { x } from '../../sandbox/mailbox.ts';`, rule: imports },
  { file: 'src/web/e.ts', code: `export const x = import('../server/app.ts');`, rule: imports },
  { file: 'src/web/g.ts', code: 'export const x = process.env.PORT;', rule: 'lint/style/noProcessEnv' },
  {
    file: 'src/web/h.tsx',
    code: `export const Photo = () => <img src="/cellar.jpg" />;`,
    rule: 'lint/a11y/useAltText',
  },
  { file: 'src/loose.ts', code: `export { x } from '../sandbox/mailbox.ts';`, rule: imports },
  { file: 'sandbox/a.ts', code: `export { x } from '../src/domain/tier.ts';`, rule: imports },
  { file: 'sandbox/payments/b.ts', code: `export { x } from '../../src/server/http/app.ts';`, rule: imports },
  {
    file: 'src/web/i.ts',
    code: 'export const x = (y: any) => y;',
    rule: 'lint/suspicious/noExplicitAny',
  },
  {
    file: 'src/web/j.ts',
    code: `import { X } from './k.ts';\nexport type Y = X;`,
    rule: 'lint/style/useImportType',
  },
  {
    file: 'src/web/l.ts',
    code: `import { x } from './k.ts';\nexport const y = 1;`,
    rule: 'lint/correctness/noUnusedImports',
  },
  {
    file: 'src/web/cycle-a.ts',
    code: `import type { B } from './cycle-b.ts';\nexport type A = B;`,
    rule: 'lint/suspicious/noImportCycles',
  },
  {
    file: 'src/web/cycle-b.ts',
    code: `import type { A } from './cycle-a.ts';\nexport type B = A;`,
    rule: 'lint/suspicious/noImportCycles',
  },
];

/** A cycle of types alone counts too. */
const cycle: Case[] = [
  {
    file: 'src/server/pours/ring-a.ts',
    code: `import type { B } from './ring-b.ts';\nexport type A = B | 1;`,
    rule: 'lint/suspicious/noImportCycles',
  },
  {
    file: 'src/server/pours/ring-b.ts',
    code: `import type { A } from './ring-a.ts';\nexport type B = A | 2;`,
    rule: 'lint/suspicious/noImportCycles',
  },
];

const legal: Case[] = [
  {
    file: 'src/domain/legal.ts',
    code: `export { x } from './tier.ts';\nexport const at = (ms: number) => new Date(ms);`,
  },
  { file: 'src/domain/deep/legal.ts', code: `export { x } from '../tier.ts';` },
  {
    file: 'src/contract/legal.ts',
    code: `export { x } from '../domain/tier.ts';\nexport { oc } from '@orpc/contract';\nexport { z } from 'zod';`,
  },
  {
    file: 'src/server/legal.ts',
    code: `export { readFile } from 'node:fs/promises';\nexport { x } from '../contract/pours.ts';\nexport { y } from '../domain/commons.ts';`,
  },
  { file: 'src/server/main.ts', code: 'export const clock = [() => new Date(), process.env.PORT];' },
  { file: 'src/server/config/env.ts', code: 'export const port = process.env.PORT;' },
  {
    file: 'src/web/legal.ts',
    code: `export { x } from '../contract/pours.ts';\nexport { y } from '../domain/tier.ts';`,
  },
  { file: 'src/web/ui/use-now.ts', code: 'export const now = Date.now();' },
  { file: 'sandbox/legal.ts', code: `export { x } from './payments/app.ts';\nexport { Hono } from 'hono';` },
  {
    file: 'scripts/legal.ts',
    code: `console.log(process.env.PORT);\nexport { x } from '../sandbox/app.ts';`,
  },
];

describe('the linter keeps the dependency rules', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dependency-rules-'));
  const found = new Map<string, Set<string>>();

  beforeAll(() => {
    for (const part of ['biome.json', 'package.json', 'tests/rules']) {
      cpSync(join(root, part), join(folder, part), { recursive: true });
    }
    for (const { file, code } of [...breaches, ...cycle, ...legal]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${code}\n`);
    }
    const lint = [
      'lint',
      '--vcs-enabled=false',
      '--reporter=json',
      '--max-diagnostics=none',
      'src',
      'sandbox',
      'scripts',
    ];
    const { stdout, stderr } = spawnSync(biome, lint, { cwd: folder, encoding: 'utf8' });
    const report: { diagnostics: { category: string; severity: string; location: { path: string } }[] } =
      JSON.parse(stdout.trim() || `{"error": ${JSON.stringify(stderr)}}`);
    for (const { category, location } of report.diagnostics) {
      const path = location.path.replaceAll('\\', '/');
      found.set(path, (found.get(path) ?? new Set()).add(category));
    }
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([...breaches, ...cycle])('refuses in $file: $code', ({ file, rule }) => {
    expect([...(found.get(file) ?? [])]).toEqual([rule]);
  });

  test.each(legal)('allows in $file: $code', ({ file }) => {
    expect([...(found.get(file) ?? [])]).toEqual([]);
  });
});
