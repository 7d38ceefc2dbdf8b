import { createHmac } from 'node:crypto';
import { Refusal } from '../../../contract/refusals.ts';
import { isEasyPin, PIN_TRIES } from '../../../domain/staff/staff-pin.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { and, eq, lt, sql } from '../../db/orm.ts';
import { staff_pin } from '../../db/schema.ts';
import type { AuthContext, AuthServices } from '../auth-context.ts';
import type { LibraryContext } from '../library-call.ts';
import { hashPassword, verifyPassword } from '../password/hash.ts';
import { reauthenticate } from '../password/reauthenticate.ts';
import { isStaff } from '../staff-accounts.ts';

// Rules: docs/rules/staff.md, "A shared tablet".

/**
 * The text to hash for a PIN. Ten thousand PINs are tried in minutes, however slow the hash, but not without AUTH_SECRET,
 * which is not in the database.
 */
function pepper({ auth }: Pick<LibraryContext, 'auth'>, user_id: string, pin: string): string {
  const key = createHmac('sha256', auth.options.secret).update('cellar-door.staff-pin').digest();
  return createHmac('sha256', key).update(`${user_id}:${pin}`).digest('base64url');
}

/** Whether the actor has a PIN, and whether wrong tries have locked it. */
export async function getPin({ db, actor }: AuthContext): Promise<{ set: boolean; locked: boolean }> {
  const [row] = await db
    .select({ failed: staff_pin.failed })
    .from(staff_pin)
    .where(eq(staff_pin.user_id, actor.user_id));
  return { set: row !== undefined, locked: row !== undefined && row.failed >= PIN_TRIES };
}

/**
 * Sets the actor's own PIN, which ends a lock. Throws what reauthenticate throws, and Refusal PIN_EASY, or NOT_ALLOWED if
 * the role ended meanwhile.
 */
export async function setPin(
  ctx: AuthContext & Pick<LibraryContext, 'auth'>,
  { pin, password }: { pin: string; password: string },
): Promise<{ ok: true }> {
  const { db, actor, now } = ctx;
  if (isEasyPin(pin)) throw new Refusal('PIN_EASY');
  await reauthenticate(ctx, actor.user_id, password);
  const pin_hash = await hashPassword(pepper(ctx, actor.user_id, pin), ctx.auth.hashCost);
  await db.transaction(async (tx) => {
    // The role may have ended meanwhile; its trigger deletes the PIN.
    await tx.execute(sql`select from user_roles where user_id = ${actor.user_id} for share`);
    if (!(await isStaff(tx, actor.user_id))) throw new Refusal('NOT_ALLOWED');
    const row = { pin_hash, set_at: now(), failed: 0 };
    await tx
      .insert(staff_pin)
      .values({ user_id: actor.user_id, ...row })
      .onConflictDoUpdate({ target: staff_pin.user_id, set: row });
  });
  return { ok: true };
}

/** Removes a colleague's PIN, or the actor's own. Throws Refusal NOT_FOUND. */
export async function removePin(
  ctx: AuthContext,
  { user_id }: { user_id: string },
): Promise<{ removed: true }> {
  return ctx.db.transaction(async (tx) => {
    const rows = await tx.delete(staff_pin).where(eq(staff_pin.user_id, user_id)).returning();
    if (rows.length === 0) throw new Refusal('NOT_FOUND', { what: 'PIN' });
    await recordAudit(tx, ctx, { act: 'pin_removed', subject_id: user_id, facts: {} });
    return { removed: true };
  });
}

export const wrongPin = (failures: number) => new Refusal('WRONG_PIN', { tries_left: PIN_TRIES - failures });

/**
 * Checks a PIN and returns its hash. Each try is counted before the PIN is checked, so that parallel tries gain nothing.
 * Throws Refusal WRONG_PIN, also for someone without a PIN, and PIN_LOCKED from the fifth wrong one on.
 */
export async function checkPin(
  ctx: Pick<AuthServices, 'db'> & Pick<LibraryContext, 'auth'>,
  { user_id, pin }: { user_id: string; pin: string },
): Promise<string> {
  const { db } = ctx;
  const filter = eq(staff_pin.user_id, user_id);
  const [row] = await db
    .update(staff_pin)
    .set({ failed: sql`${staff_pin.failed} + 1` })
    .where(and(filter, lt(staff_pin.failed, PIN_TRIES)))
    .returning({ pin_hash: staff_pin.pin_hash, failed: staff_pin.failed });
  if (!row) throw (await db.$count(staff_pin, filter)) > 0 ? new Refusal('PIN_LOCKED') : wrongPin(1);
  if (await verifyPassword(row.pin_hash, pepper(ctx, user_id, pin))) return row.pin_hash;
  throw row.failed < PIN_TRIES ? wrongPin(row.failed) : new Refusal('PIN_LOCKED');
}
