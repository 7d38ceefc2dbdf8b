import { beforeEach, expect, it, vi } from 'vitest';
import { libraryPasswords } from '../../../src/server/auth/password/hash.ts';
import { onHashThread } from '../../../src/server/auth/password/hash-thread.ts';

vi.mock('../../../src/server/auth/password/hash-thread.ts', () => ({ onHashThread: vi.fn() }));

const hashes = vi.mocked(onHashThread);
beforeEach(() => hashes.mockReset());

// The library verifies the password of a known email, and hashes that of an unknown one.
it.each(['correct horse', 'Gr\u00fcner \ufb01n', 'Gru\u0308ner'])(
  'a wrong password of any form, %j, takes as many hashes for an unknown email as for a known one',
  async (password) => {
    const { hash, verify } = libraryPasswords();
    hashes.mockResolvedValue(false);
    await verify({ hash: '$argon2id$', password });
    const known = hashes.mock.calls.length;
    hashes.mockReset();
    hashes.mockResolvedValue('$argon2id$');
    expect(await hash(password)).toBe('$argon2id$');
    expect(hashes.mock.calls.length).toBe(known);
  },
);
