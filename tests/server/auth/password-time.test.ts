import { Worker } from 'node:worker_threads';
import { expect, it, vi } from 'vitest';
import { libraryPasswords } from '../../../src/server/auth/password/hash.ts';

const { hash, verify } = libraryPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });

/** The hashes made by `work`: each is one message to the thread that makes them. */
async function hashesOf(work: () => Promise<unknown>): Promise<number> {
  const posted = vi.spyOn(Worker.prototype, 'postMessage');
  await work();
  const { length } = posted.mock.calls;
  posted.mockRestore();
  return length;
}

// The library verifies the password of a known email, and hashes that of an unknown one.
it.each(['correct horse', 'Gr\u00fcner \ufb01n', 'Gru\u0308ner'])(
  'a wrong password of any form, %j, takes as many hashes for an unknown email as for a known one',
  async (password) => {
    const stored = await hash('another one');
    const known = await hashesOf(() => verify({ hash: stored, password }));
    expect(known).toBeGreaterThan(0);
    expect(await hashesOf(() => hash(password))).toBe(known);
  },
);
