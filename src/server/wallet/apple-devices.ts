import { unixSeconds } from '../../domain/calendar.ts';
import { isUuid } from '../../domain/uuid.ts';
import { and, asc, desc, eq, gt, max, notInArray } from '../db/orm.ts';
import { wallet_device, wallet_pass } from '../db/schema.ts';
import { currentPass, isPassToken, passToken } from './pass-content.ts';
import type { WalletServices } from './wallet-context.ts';

export interface NamedPass {
  passTypeId: string;
  serial: string;
  token: string;
}

/** More than any member has; beyond this, the device that registered first gets no more updates. */
const MAX_DEVICES = 20;
const MAX_LISTED = 100;

type PassRow = typeof wallet_pass.$inferSelect;

/** A pass's row, if the token is right; null otherwise, whether or not the pass exists. */
async function heldPass(
  { db, wallets, walletKey }: WalletServices,
  { passTypeId, serial, token }: NamedPass,
): Promise<PassRow | null> {
  if (passTypeId !== wallets.apple?.passTypeId || !isUuid(serial)) return null;
  if (!isPassToken(walletKey, serial, token)) return null;
  const [pass] = await db.select().from(wallet_pass).where(eq(wallet_pass.id, serial));
  return pass?.platform === 'apple' ? pass : null;
}

/** Registers a device for changes of a pass. Null if it does not hold the pass. */
export async function registerDevice(
  ctx: WalletServices,
  name: NamedPass,
  device: { id: string; pushToken: string },
): Promise<'registered' | 'known' | null> {
  const pass = await heldPass(ctx, name);
  if (!pass) return null;
  const pass_id = pass.id;
  const row = { pass_id, device_id: device.id, push_token: device.pushToken, registered_at: ctx.now() };
  return ctx.db.transaction(async (tx) => {
    const isThis = and(eq(wallet_device.pass_id, pass_id), eq(wallet_device.device_id, device.id));
    const [registration] = await tx
      .select({ at: wallet_device.registered_at })
      .from(wallet_device)
      .where(isThis);
    await tx
      .insert(wallet_device)
      .values(row)
      .onConflictDoUpdate({
        target: [wallet_device.pass_id, wallet_device.device_id],
        set: { push_token: row.push_token },
      });
    const latest = tx
      .select({ id: wallet_device.device_id })
      .from(wallet_device)
      .where(eq(wallet_device.pass_id, pass_id))
      .orderBy(desc(wallet_device.registered_at), asc(wallet_device.device_id))
      .limit(MAX_DEVICES);
    await tx
      .delete(wallet_device)
      .where(and(eq(wallet_device.pass_id, pass_id), notInArray(wallet_device.device_id, latest)));
    return registration ? 'known' : 'registered';
  });
}

/** Unregisters a device from a pass. False if it does not hold the pass. */
export async function unregisterDevice(
  ctx: WalletServices,
  name: NamedPass,
  deviceId: string,
): Promise<boolean> {
  const pass = await heldPass(ctx, name);
  if (!pass) return false;
  await ctx.db
    .delete(wallet_device)
    .where(and(eq(wallet_device.pass_id, pass.id), eq(wallet_device.device_id, deviceId)));
  return true;
}

/**
 * A device's passes that changed after `since`, the `lastUpdated` it got last (milliseconds since 1970); with null, all of
 * its passes. Null if there are none.
 */
export async function listChangedPasses(
  { db, wallets }: WalletServices,
  { passTypeId, deviceId, since }: { passTypeId: string; deviceId: string; since: number | null },
): Promise<{ serialNumbers: string[]; lastUpdated: string } | null> {
  if (passTypeId !== wallets.apple?.passTypeId) return null;
  const rows = await db
    .select({ id: wallet_pass.id, updated_at: max(wallet_pass.updated_at) })
    .from(wallet_device)
    .innerJoin(wallet_pass, eq(wallet_pass.id, wallet_device.pass_id))
    .where(
      and(
        eq(wallet_device.device_id, deviceId),
        since === null ? undefined : gt(wallet_pass.updated_at, new Date(since)),
      ),
    )
    .groupBy(wallet_pass.id)
    .limit(MAX_LISTED);
  if (rows.length === 0) return null;
  const last = Math.max(...rows.map((it) => it.updated_at?.getTime() ?? 0));
  return { serialNumbers: rows.map((it) => it.id), lastUpdated: String(last) };
}

/**
 * The current pass for a device that holds it, and when it last changed; `file` is null if that is no later than `hasSince`.
 * Null if the device does not hold the pass.
 */
export async function latestPass(
  ctx: WalletServices,
  name: NamedPass,
  hasSince: Date | null,
): Promise<{ file: Uint8Array | null; updated_at: Date } | null> {
  const pass = await heldPass(ctx, name);
  const { apple } = ctx.wallets;
  if (!pass || !apple) return null;
  const { id, updated_at } = pass;
  // Dates in headers only have whole seconds.
  if (hasSince && unixSeconds(updated_at) <= unixSeconds(hasSince)) return { file: null, updated_at };
  const current = await currentPass(ctx, pass.customer_id);
  if (!current) return null;
  const file = await apple.make({ id, content: current.content, token: passToken(ctx.walletKey, id) });
  return { file, updated_at };
}
