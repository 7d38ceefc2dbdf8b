import { createAuthMiddleware, getSessionFromCtx, isAPIError } from 'better-auth/api';
import { eq } from 'drizzle-orm';
import { profiles } from '../../db/schema.ts';
import type { AuthServices } from '../context.ts';
import { twoFactorChangedEmail } from '../emails.ts';
import { toAuthError } from '../errors.ts';
import { reauthenticate } from '../password/reauthenticate.ts';

const ASKS = ['/two-factor/enable', '/two-factor/disable', '/two-factor/generate-backup-codes'];
const TURNS = ['/two-factor/verify-totp', '/two-factor/disable'];

/**
 * Around the identity library's own calls for two-step sign-in: their password counts against the same limit as
 * everywhere else, so that a stolen session is no place to guess it, and the owner is told by mail when it is
 * turned on or off.
 */
export function twoFactorGuard(services: Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'>) {
  const { db, newId, outbox, venue } = services;
  /** Whether it was on when a request came, by request. */
  const before = new WeakMap<object, boolean>();
  const personOf = async (id: string) => {
    const [person] = await db
      .select({ first_name: profiles.first_name, email: profiles.email, on: profiles.twoFactorEnabled })
      .from(profiles)
      .where(eq(profiles.id, id));
    return person;
  };

  const ask = createAuthMiddleware(async (ctx) => {
    if (!ASKS.includes(ctx.path) && !TURNS.includes(ctx.path)) return;
    const user = (await getSessionFromCtx(ctx))?.user;
    if (!user) return;
    if (ASKS.includes(ctx.path)) {
      await reauthenticate(services, user.id, String(ctx.body?.password)).catch((error: unknown) => {
        throw toAuthError(error);
      });
    }
    const person = await personOf(user.id);
    if (person && ctx.request) before.set(ctx.request, person.on);
  });

  const tell = createAuthMiddleware(async (ctx) => {
    const was = ctx.request && before.get(ctx.request);
    if (was === undefined || !TURNS.includes(ctx.path) || isAPIError(ctx.context.returned)) return;
    const id = (ctx.context.newSession ?? (await getSessionFromCtx(ctx)))?.user.id;
    const person = id && (await personOf(id));
    if (!id || !person || person.on === was) return;
    const words = twoFactorChangedEmail(venue, person.first_name, person.on);
    await outbox.post(db, `second-factor:${newId()}`, { user_id: id, email: person.email }, words);
  });

  return { ask, tell };
}
