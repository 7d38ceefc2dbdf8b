import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { readEnv } from '../../../src/server/config/env.ts';

const example = readFileSync(resolve(import.meta.dirname, '../../../.env.example'), 'utf8');
const named = [...example.matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);

/** The variables that readEnv reads, with google as the only provider. */
function variablesRead(): string[] {
  const values: Record<string, string> = {
    OIDC_PROVIDERS: 'google',
    OIDC_GOOGLE_CLIENT_ID: 'id',
    OIDC_GOOGLE_CLIENT_SECRET: 'hidden',
  };
  const read = new Set<string>();
  const record = (name: string | symbol) => {
    if (typeof name === 'string' && /^[A-Z_]+$/.test(name)) read.add(name);
  };
  readEnv(
    new Proxy(values, {
      get: (target, name) => {
        record(name);
        return Reflect.get(target, name);
      },
      has: (target, name) => {
        record(name);
        return Reflect.has(target, name);
      },
    }),
  );
  return [...read];
}

it('.env.example names every variable that the configuration reads, once, and no other', () => {
  expect(named.toSorted()).toEqual(variablesRead().toSorted());
});

it('.env.example changes no default', () => {
  const empty = Object.fromEntries(named.map((name) => [name, '']));
  expect(example).not.toMatch(/^[A-Z_]+=./m);
  expect(readEnv(empty)).toEqual(readEnv({}));
});
