import { and, asc, eq, inArray, lte, or } from 'drizzle-orm';
import { wallet_device, wallet_pass } from '../db/schema.ts';
import { type CurrentPass, currentPass, hashOfContent, type PassContent } from './pass-content.ts';
import type { WalletServices } from './wallet-context.ts';

type PassRow = typeof wallet_pass.$inferSelect;

/** Told at once, so that one wallet that does not answer holds up nobody else's. */
const BATCH = 20;
const FIRST_RETRY_MS = 30_000;
const LAST_RETRY_MS = 6 * 3_600_000;
/** Names and words of tiers change without a mark. */
const LOOK_AGAIN_MS = 24 * 3_600_000;

/** When to look at a pass without being told: glasses come back when the billing period ends. */
export function nextLook({ resets_at }: Pick<CurrentPass, 'resets_at'>, now: Date): Date {
  const reset = resets_at * 1000;
  const again = now.getTime() + LOOK_AGAIN_MS;
  return new Date(reset > now.getTime() ? Math.min(reset, again) : again);
}

/** Waits double from 30 seconds to 6 hours. */
const retryAfter = (attempts: number) => Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempts - 1));

/**
 * Tells wallets of passes that say something else by now, after the transactions that changed it: those that are marked
 * and those that are due. What a wallet did not take is repeated at growing intervals. Returns how many were told.
 */
export async function updateWalletPasses(ctx: WalletServices): Promise<{ told: number; failed: number }> {
  const due = await ctx.db
    .select({ id: wallet_pass.id })
    .from(wallet_pass)
    .where(isDue(ctx.now()))
    .orderBy(asc(wallet_pass.due_at))
    .limit(BATCH);
  const outcomes = await Promise.all(due.map(({ id }) => updatePass(ctx, id)));
  const count = (wanted: Outcome) => outcomes.filter((it) => it === wanted).length;
  return { told: count('told'), failed: count('failed') };
}

type Outcome = 'told' | 'unchanged' | 'failed';

const isDue = (at: Date) => or(eq(wallet_pass.changed, true), lte(wallet_pass.due_at, at));

async function updatePass(ctx: WalletServices, id: string): Promise<Outcome> {
  const pass = await claim(ctx, id);
  const current = pass && (await currentPass(ctx, pass.customer_id));
  if (!pass || !current) return 'unchanged';
  const at = ctx.now();
  const content_hash = hashOfContent(current.content);
  const isNew = content_hash !== pass.content_hash;
  // Before the device is told, because it asks for what changed since it asked last.
  if (isNew) {
    await ctx.db.update(wallet_pass).set({ content_hash, updated_at: at }).where(eq(wallet_pass.id, id));
  }
  const toTell = isNew || pass.attempts > 0;
  if (toTell && !(await tell(ctx, pass, current.content))) return 'failed';
  await ctx.db
    .update(wallet_pass)
    .set({ attempts: 0, due_at: nextLook(current, at) })
    .where(eq(wallet_pass.id, id));
  return toTell ? 'told' : 'unchanged';
}

/** Claims a pass for this process by postponing it, as if telling its wallet had failed; as it was before, or null. */
async function claim({ db, now }: WalletServices, id: string): Promise<PassRow | null> {
  return db.transaction(async (tx) => {
    const at = now();
    const [pass] = await tx
      .select()
      .from(wallet_pass)
      .where(and(eq(wallet_pass.id, id), isDue(at)))
      .for('update', { skipLocked: true });
    if (!pass) return null;
    const attempts = pass.attempts + 1;
    const due_at = new Date(at.getTime() + retryAfter(attempts));
    await tx.update(wallet_pass).set({ changed: false, attempts, due_at }).where(eq(wallet_pass.id, id));
    return pass;
  });
}

/** False when the wallet did not take it; the reason is logged, without the pass's content. */
async function tell(ctx: WalletServices, { id, platform }: PassRow, content: PassContent): Promise<boolean> {
  const { apple, google } = ctx.wallets;
  try {
    if (platform === 'google') await google?.update(id, content);
    else if (apple) await tellDevices(ctx, id, apple.push);
    return true;
  } catch (error) {
    ctx.log.warn({ pass_id: id, platform, reason: (error as Error).message }, 'wallet not notified');
    return false;
  }
}

async function tellDevices(
  { db }: WalletServices,
  passId: string,
  push: (tokens: string[]) => Promise<string[]>,
): Promise<void> {
  const devices = await db
    .select({ push_token: wallet_device.push_token })
    .from(wallet_device)
    .where(eq(wallet_device.pass_id, passId));
  const tokens = devices.map((it) => it.push_token);
  const outcomes = await push(tokens);
  const gone = tokens.filter((_, index) => outcomes[index] === 'gone');
  if (gone.length > 0) {
    await db
      .delete(wallet_device)
      .where(and(eq(wallet_device.pass_id, passId), inArray(wallet_device.push_token, gone)));
  }
  if (outcomes.includes('failed')) throw new Error('A device could not be told');
}
