import type { z } from 'zod';
import { Refusal } from '../../../contract/refusals.ts';
import type { BarDevice, openDeviceInput } from '../../../contract/staff/bar-devices.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import type { Tx } from '../../db/client.ts';
import { alias, and, asc, desc, eq, isNull, sql } from '../../db/orm.ts';
import { bar_device, profiles, sessions, staff_pin, user_roles } from '../../db/schema.ts';
import { CLIENT_IP_HEADER } from '../../platform/client-ip.ts';
import { consumeRateLimit, uncountRequest } from '../../platform/rate-limit.ts';
import { hashOfSecret } from '../../platform/secret-link.ts';
import { fullName } from '../../platform/sql-text.ts';
import { logOutcome } from '../audit-log.ts';
import type { AuthContext, AuthServices } from '../auth-context.ts';
import type { LibraryContext } from '../library-call.ts';
import { reauthenticate } from '../password/reauthenticate.ts';
import { type BarSession, readBarSession } from './bar-session.ts';
import { deviceCookie } from './device-cookie.ts';
import { checkPin, wrongPin } from './staff-pin.ts';

// Rules: docs/rules/staff.md, "A shared tablet".

const MAX_DEVICES = 50;
/** Wrong PINs on one tablet; the window is in seconds. */
const TRIES = { max: 60, window: 900 };

type DeviceContext = AuthServices & LibraryContext;
/** STAFF_REQUIRE_TWO_FACTOR counts here too. */
type SwitchContext = DeviceContext & { staffNeedTwoFactor: boolean };

const barSessionOf = ({ db, auth, headers }: DeviceContext, isUse = false): Promise<BarSession | null> =>
  readBarSession({ db, publicUrl: auth.publicUrl }, headers.get('cookie'), isUse);

/** Open tablets, newest first. */
export async function listDevices({ db }: AuthContext): Promise<BarDevice[]> {
  const worker = alias(profiles, 'worker');
  const rows = await db
    .select({ device: bar_device, opened_by: fullName(profiles), used_by: worker.first_name })
    .from(bar_device)
    .innerJoin(profiles, eq(profiles.id, bar_device.opened_by_staff_id))
    .leftJoin(sessions, and(eq(sessions.bar_device_id, bar_device.id), sql`${sessions.expiresAt} > now()`))
    .leftJoin(worker, eq(worker.id, sessions.userId))
    .where(isNull(bar_device.ended_at))
    .orderBy(desc(bar_device.opened_at), desc(bar_device.id));
  return rows.map(({ device: { id, name, idle_minutes, opened_at, last_used_at }, opened_by, used_by }) => ({
    id,
    name,
    idle_minutes,
    opened_by,
    opened_at: opened_at.toISOString(),
    last_used_at: last_used_at?.toISOString() ?? null,
    used_by,
  }));
}

/**
 * Makes the actor's browser a shared tablet and signs the actor out of it, so that nothing of the office stays there.
 * Throws what reauthenticate throws, and Refusal BROWSER_NEEDED, TOO_MANY_DEVICES.
 */
export async function openDevice(
  ctx: AuthContext & LibraryContext & { actor: { session_id: string; app: boolean } },
  { name, idle_minutes, password }: z.output<typeof openDeviceInput>,
): Promise<{ id: string }> {
  const { db, actor, now, newId, newSecret, auth, setCookies } = ctx;
  if (actor.app) throw new Refusal('BROWSER_NEEDED');
  await reauthenticate(ctx, actor.user_id, password);
  const [id, token] = [newId(), newSecret()];
  await db.transaction(async (tx) => {
    await tx.execute(sql`select lock_staff_permissions()`);
    if ((await tx.$count(bar_device, isNull(bar_device.ended_at))) >= MAX_DEVICES) {
      throw new Refusal('TOO_MANY_DEVICES');
    }
    await tx.insert(bar_device).values({
      id,
      name,
      idle_minutes,
      token_hash: hashOfSecret(token),
      opened_by_staff_id: actor.user_id,
      opened_at: now(),
    });
    await tx.delete(sessions).where(eq(sessions.id, actor.session_id));
    await recordAudit(tx, ctx, { act: 'tablet_opened', subject_id: null, facts: { device_id: id, name } });
  });
  setCookies([deviceCookie(auth.publicUrl, token)]);
  return { id };
}

/** Signs a tablet out at once, with the person who works there. Throws Refusal NOT_FOUND. */
export async function endDevice(ctx: AuthContext, { id }: { id: string }): Promise<{ ended: true }> {
  return ctx.db.transaction(async (tx) => {
    const [row] = await tx
      .update(bar_device)
      .set({ ended_at: ctx.now() })
      .where(and(eq(bar_device.id, id), isNull(bar_device.ended_at)))
      .returning();
    if (!row) throw new Refusal('NOT_FOUND', { what: 'tablet' });
    await tx.delete(sessions).where(eq(sessions.bar_device_id, id));
    const { name } = row;
    await recordAudit(tx, ctx, { act: 'tablet_ended', subject_id: null, facts: { device_id: id, name } });
    return { ended: true };
  });
}

/** The data of the tablet's sign-in screen, which lists the staff with a PIN. Null in any other browser. */
export async function getCurrentDevice(ctx: DeviceContext) {
  const bar = await barSessionOf(ctx);
  if (!bar) return { device: null };
  const people = await ctx.db
    .select({ user_id: profiles.id, first_name: profiles.first_name, last_name: profiles.last_name })
    .from(staff_pin)
    .innerJoin(profiles, eq(profiles.id, staff_pin.user_id))
    .orderBy(asc(profiles.first_name), asc(profiles.last_name), asc(profiles.id));
  const { name, idle_minutes } = bar.device;
  return { device: { name, idle_minutes, people } };
}

/**
 * Lets a staff member work on the tablet, instead of the previous one. A PIN is asked for nowhere else, and without the
 * tablet's cookie it is not checked. Throws Refusal NOT_SIGNED_IN, WRONG_PIN, PIN_LOCKED, TWO_FACTOR_REQUIRED,
 * TOO_MANY_ATTEMPTS.
 */
export async function switchIn(
  ctx: SwitchContext,
  { user_id, pin }: { user_id: string; pin: string },
): Promise<{ ok: true }> {
  const bar = await barSessionOf(ctx);
  if (!bar) throw new Refusal('NOT_SIGNED_IN');
  const { id: device_id } = bar.device;
  await logOutcome(ctx, 'PIN', async () => {
    const tries = `bar-pin|${device_id}`;
    // Counted before the PIN is checked, like the tries of one PIN.
    await consumeRateLimit(ctx, tries, TRIES);
    const pin_hash = await checkPin(ctx, { user_id, pin });
    await uncountRequest(ctx, tries);
    await ctx.db.transaction((tx) => beginSession(ctx, tx, { user_id, device_id, pin_hash }));
    return { user_id };
  });
  return { ok: true };
}

async function beginSession(
  { now, newId, newSecret, headers, staffNeedTwoFactor }: SwitchContext,
  tx: Tx,
  { user_id, device_id, pin_hash }: { user_id: string; device_id: string; pin_hash: string },
): Promise<void> {
  // Locked, so that ending the tablet or changing the PIN at the same time is either seen here or sees this session.
  const [device] = await tx
    .update(bar_device)
    .set({ last_used_at: now() })
    .where(and(eq(bar_device.id, device_id), isNull(bar_device.ended_at)))
    .returning();
  if (!device) throw new Refusal('NOT_SIGNED_IN');
  const [pin] = await tx
    .update(staff_pin)
    .set({ failed: 0 })
    .where(and(eq(staff_pin.user_id, user_id), eq(staff_pin.pin_hash, pin_hash)))
    .returning({ user_id: staff_pin.user_id });
  const [role] = await tx
    .select({ role: user_roles.role, two_factor: profiles.twoFactorEnabled })
    .from(user_roles)
    .innerJoin(profiles, eq(profiles.id, user_roles.user_id))
    .where(eq(user_roles.user_id, user_id))
    .for('share', { of: user_roles });
  if (!pin || role?.role !== 'staff') throw wrongPin(1);
  if (staffNeedTwoFactor && !role.two_factor) throw new Refusal('TWO_FACTOR_REQUIRED');
  await tx.delete(sessions).where(eq(sessions.bar_device_id, device_id));
  await tx.insert(sessions).values({
    id: newId(),
    userId: user_id,
    // Never sent out: only the tablet's cookie finds the session.
    token: newSecret(),
    bar_device_id: device_id,
    expiresAt: sql`now() + make_interval(mins => ${device.idle_minutes})`,
    ipAddress: headers.get(CLIENT_IP_HEADER),
    userAgent: headers.get('user-agent'),
    createdAt: sql`now()`,
    updatedAt: sql`now()`,
  });
}

/** Extends the session on the tablet. Does nothing in any other browser. */
export async function stay(ctx: DeviceContext): Promise<{ ok: true }> {
  await barSessionOf(ctx, true);
  return { ok: true };
}

/** Ends the session on the tablet, which shows its sign-in screen again. Does nothing in any other browser. */
export async function switchOut(ctx: DeviceContext): Promise<{ ok: true }> {
  const bar = await barSessionOf(ctx);
  if (bar) await ctx.db.delete(sessions).where(eq(sessions.bar_device_id, bar.device.id));
  return { ok: true };
}
