import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { createWorkQueue } from '../../platform/work-queue.ts';
import { toAuthError } from '../auth-error.ts';
import { onHashThread, type PasswordHashCost } from './hash-thread.ts';

export type { PasswordHashCost };

// Argon2id at 46 MiB (OWASP's first choice), about 35 ms here, against 80 ms for the library's scrypt.
export const DEFAULT_COST: PasswordHashCost = { memoryCost: 47_104, timeCost: 1, parallelism: 1 };

// One processor stays free for everything else: a flood of guesses must not slow down the bar.
export const HASHES_AT_ONCE = Math.max(1, availableParallelism() - 1);
/** About 4 seconds of work. */
export const MAX_WAITING = 100;
export const RETRY_AFTER_SECONDS = 5;

const inTurn = createWorkQueue(HASHES_AT_ONCE, MAX_WAITING, RETRY_AFTER_SECONDS);

export const passwordQueueDepth = inTurn.depth;

/** One form for a password however it was typed: NIST SP 800-63B-4, 3.1.1.2, asks for NFKC or NFKD. */
const normalized = (password: string) => password.normalize('NFKC');

/** Takes its turn among all hashes of this process. Throws Refusal TOO_MANY_ATTEMPTS when too many wait. */
export const hashPassword = (password: string, cost = DEFAULT_COST) =>
  inTurn(async () => String(await onHashThread({ password: normalized(password), cost })));

/** The texts to compare: hashes from before passwords were normalized get a second try with the text as typed. */
const textsOf = (password: string) => new Set([normalized(password), password]);

/** Each hash contains its cost, so that hashes of different costs verify side by side. Throws as hashPassword does. */
export async function verifyPassword(hash: string, password: string): Promise<boolean> {
  for (const text of textsOf(password)) {
    if (await inTurn(async () => (await onHashThread({ password: text, stored: hash })) === true))
      return true;
  }
  return false;
}

const bypass = new AsyncLocalStorage<true>();

/** The library's password check passes within `work`, for a user proven in another way. */
export const withoutPassword = <T>(work: () => Promise<T>): Promise<T> => bypass.run(true, work);

/** hashPassword and verifyPassword as the auth library calls them: it lets only its own errors through. */
export const libraryPasswords = (cost?: PasswordHashCost) => ({
  /** For an unknown email the library hashes instead of verifying: as often, so that the time tells nothing. */
  async hash(password: string): Promise<string> {
    const hashes: string[] = [];
    for (const text of textsOf(password)) hashes.push(await hashPassword(text, cost).catch(rethrow));
    return hashes[0] ?? '';
  },
  verify: async ({ hash, password }: { hash: string; password: string }) =>
    bypass.getStore() === true || verifyPassword(hash, password).catch(rethrow),
});

function rethrow(error: unknown): never {
  throw toAuthError(error);
}
