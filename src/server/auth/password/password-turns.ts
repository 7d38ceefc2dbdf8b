import { Refusal } from '../../../domain/refusal.ts';
import { HASHES_AT_ONCE, MAX_WAITING, type PasswordHashCost, RETRY_AFTER_SECONDS } from './hash.ts';

/** Paths of the auth library that hash a password for somebody who is not signed in. */
export const HASHES_FOR_STRANGERS = new Set(['/sign-in/email', '/sign-up/email', '/reset-password']);

/** Of one client IP. A venue shares one, and its members do not all sign in within a second. */
const MAX_WAITING_EACH = 20;

/** How long a hash of this cost keeps a processor busy, about. */
const hashMs = ({ memoryCost, timeCost }: PasswordHashCost) => (memoryCost * timeCost) / 1600;

export interface PasswordTurns {
  /** Resolves when the caller may go on. Throws Refusal TOO_MANY_ATTEMPTS when too many wait. */
  take(clientIp: string): Promise<void>;
  waiting(): number;
}

/**
 * Lets the calls that hash a password begin one after another, no faster than hashes are made. Sixty at once would
 * each be read, limited and looked up before the first is hashed, and a pour that comes then would wait for all of it.
 */
export function createPasswordTurns(cost: PasswordHashCost): PasswordTurns {
  const gapMs = hashMs(cost) / HASHES_AT_ONCE;
  const waiting: { clientIp: string; go(): void }[] = [];
  let taken = false;

  function goOn(): void {
    taken = true;
    setTimeout(() => {
      const next = waiting.shift();
      if (!next) {
        taken = false;
        return;
      }
      goOn();
      next.go();
    }, gapMs);
  }

  return {
    waiting: () => waiting.length,
    async take(clientIp) {
      if (!taken) return goOn();
      const own = waiting.filter((it) => it.clientIp === clientIp).length;
      if (waiting.length >= MAX_WAITING || own >= MAX_WAITING_EACH) {
        throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: RETRY_AFTER_SECONDS });
      }
      await new Promise<void>((go) => waiting.push({ clientIp, go }));
    },
  };
}
