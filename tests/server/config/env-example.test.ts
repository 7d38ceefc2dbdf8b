import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readEnv, VARIABLES } from '../../../src/server/config/env.ts';

const example = readFileSync(resolve(import.meta.dirname, '../../../.env.example'), 'utf8');
const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);

/** With google as the only provider of accounts. */
const PROVIDER = ['CLIENT_ID', 'CLIENT_SECRET', 'ISSUER', 'LABEL'].map((it) => `OIDC_GOOGLE_${it}`);

it('.env.example names every variable that the configuration reads, once, and no other', () => {
  expect(named.toSorted()).toEqual([...VARIABLES, 'OIDC_PROVIDERS', ...PROVIDER].toSorted());
});

it('.env.example changes no default', () => {
  const empty = Object.fromEntries(named.map((name) => [name, '']));
  expect(example).not.toMatch(/^[A-Z_]+=./m);
  expect(readEnv(empty)).toEqual(readEnv({}));
});
