import { PASSWORD_HEADER } from '../../../contract/auth/auth-base.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { and, eq } from '../../db/orm.ts';
import { accounts } from '../../db/schema.ts';
import { consumeRateLimit, uncountRequest } from '../../platform/rate-limit.ts';
import type { AuthServices } from '../auth-context.ts';
import { verifyPassword } from './hash.ts';

/** Wrong passwords, which limits guessing from a stolen session; the window is in seconds. */
const TRIES = { max: 10, window: 900 };

/** The longest password, decoded. */
const MAX_LENGTH = 1000;

/**
 * The password for a change to how a user signs in: the field, or else the percent-encoded header. Bad encoding counts as a
 * wrong password. Throws Refusal PASSWORD_REQUIRED if there is neither.
 */
export function passwordOf(headers: Headers, field?: string): string {
  const header = headers.get(PASSWORD_HEADER);
  if (field === undefined && header === null) throw new Refusal('PASSWORD_REQUIRED');
  try {
    return field ?? decodeURIComponent(header ?? '').slice(0, MAX_LENGTH);
  } catch {
    return '';
  }
}

/**
 * Asks a signed-in person for their password once more, before a change to how they sign in.
 * Throws Refusal WRONG_PASSWORD, NO_PASSWORD when the account has none, TOO_MANY_ATTEMPTS.
 */
export async function reauthenticate(
  services: Pick<AuthServices, 'db' | 'now' | 'newId'>,
  user_id: string,
  password: string,
): Promise<void> {
  const key = `password-again|${user_id}`;
  await consumeRateLimit(services, key, TRIES);
  const [account] = await services.db
    .select({ stored: accounts.password })
    .from(accounts)
    .where(and(eq(accounts.userId, user_id), eq(accounts.providerId, 'credential')));
  if (!account?.stored) throw new Refusal('NO_PASSWORD');
  if (!(await verifyPassword(account.stored, password))) throw new Refusal('WRONG_PASSWORD');
  await uncountRequest(services, key);
}
