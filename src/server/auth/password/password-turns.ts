import { Refusal } from '../../../contract/refusals.ts';
import { HASHES_AT_ONCE, MAX_WAITING, type PasswordHashCost, RETRY_AFTER_SECONDS } from './hash.ts';

/** Paths of the auth library that hash a password for a visitor who is not signed in. */
export const HASHES_FOR_STRANGERS = new Set(['/sign-in/email', '/sign-up/email', '/reset-password']);

/** Waiting calls per client IP. A venue shares one, and its members do not all sign in within a second. */
const MAX_WAITING_EACH = 20;

/** About how many milliseconds a hash of this cost keeps a processor busy. */
const hashMs = ({ memoryCost, timeCost }: PasswordHashCost) => (memoryCost * timeCost) / 1600;

export type PasswordTurns = ReturnType<typeof createPasswordTurns>;

/**
 * Starts calls that hash a password one after another, no faster than hashes are made. Otherwise sixty at once would all be
 * read, limited and looked up before the first is hashed, delaying a pour.
 */
export function createPasswordTurns(cost: PasswordHashCost) {
  const gapMs = hashMs(cost) / HASHES_AT_ONCE;
  const queue: { clientIp: string; go(): void }[] = [];
  let isBusy = false;

  function goOn(): void {
    isBusy = true;
    setTimeout(() => {
      const next = queue.shift();
      if (!next) {
        isBusy = false;
        return;
      }
      goOn();
      next.go();
    }, gapMs);
  }

  return {
    waiting: () => queue.length,
    /** Resolves when the caller may go on. Throws Refusal TOO_MANY_ATTEMPTS when too many wait. */
    async take(clientIp: string): Promise<void> {
      if (!isBusy) return goOn();
      const count = queue.filter((it) => it.clientIp === clientIp).length;
      if (queue.length >= MAX_WAITING || count >= MAX_WAITING_EACH) {
        throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: RETRY_AFTER_SECONDS });
      }
      await new Promise<void>((resolve) => queue.push({ clientIp, go: resolve }));
    },
  };
}
