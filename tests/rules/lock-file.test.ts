import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

interface LockFile {
  packages: Record<string, { version?: string; integrity?: string; link?: boolean; inBundle?: boolean }>;
}

const root = resolve(import.meta.dirname, '../..');

it('every package is locked with the hash of its archive, so that none can be swapped', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  // Excludes this package, and packages bundled in another one's archive.
  const fetched = Object.entries(packages).filter(([path, it]) => path !== '' && !it.link && !it.inBundle);
  expect(fetched.length).toBeGreaterThan(100);
  const unhashed = fetched.filter(([, { integrity }]) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''));
  expect(unhashed.map(([path]) => path)).toEqual([]);
});
