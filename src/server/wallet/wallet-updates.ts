import { and, eq, inArray } from '../db/orm.ts';
import { deliveries, wallet_device, wallet_pass } from '../db/schema.ts';
import { DOUBLING_SECONDS, type Sender } from '../deliveries/deliveries.ts';
import { type CurrentPass, currentPass, hashOfContent, type PassContent } from './pass-content.ts';
import type { WalletServices } from './wallet-context.ts';

type PassRow = typeof wallet_pass.$inferSelect;

/** How often to look for changes that mark no pass, such as tiers' names and words. */
const LOOK_AGAIN_MS = 24 * 3_600_000;

/** When to look at a pass that nothing marked: glasses come back when the billing period ends. */
function nextLook({ resets_at }: Pick<CurrentPass, 'resets_at'>, now: Date): Date {
  const reset = resets_at * 1000;
  const latest = now.getTime() + LOOK_AGAIN_MS;
  return new Date(reset > now.getTime() ? Math.min(reset, latest) : latest);
}

/**
 * Notifies wallets of passes whose content changed. Each pass has one delivery that recurs: announcements.sql makes it
 * due when something about the member changed, nextLook() otherwise.
 */
export function walletSender(ctx: WalletServices): Sender {
  const { db } = ctx;
  return {
    retrySeconds: DOUBLING_SECONDS,
    longestWaitMs: LOOK_AGAIN_MS,
    lane: deliveries.pass_id,
    batch: 1,
    async send({ pass_id, attempts }) {
      const [pass] = await db
        .select()
        .from(wallet_pass)
        .where(eq(wallet_pass.id, pass_id ?? ''));
      const current = pass && (await currentPass(ctx, pass.customer_id));
      if (!current) return { next: new Date(ctx.now().getTime() + LOOK_AGAIN_MS), sent: false };
      const at = ctx.now();
      const content_hash = hashOfContent(current.content);
      const isNew = content_hash !== pass.content_hash;
      // Stored before the device is notified, because it asks for what changed since it asked last.
      if (isNew)
        await db.update(wallet_pass).set({ content_hash, updated_at: at }).where(eq(wallet_pass.id, pass.id));
      const isUpdate = isNew || attempts > 1;
      if (isUpdate && !(await notify(ctx, pass, current.content))) return 'failed';
      return { next: nextLook(current, at), sent: isUpdate };
    },
  };
}

/** False if the wallet did not accept it; the reason is logged, without the pass's content. */
async function notify(
  ctx: WalletServices,
  { id, platform }: PassRow,
  content: PassContent,
): Promise<boolean> {
  const { apple, google } = ctx.wallets;
  try {
    if (platform === 'google') await google?.update(id, content);
    else if (apple) await notifyDevices(ctx, id, apple.push);
    return true;
  } catch (error) {
    ctx.log.warn({ pass_id: id, platform, reason: (error as Error).message }, 'wallet not notified');
    return false;
  }
}

async function notifyDevices(
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
  const lostTokens = tokens.filter((_, index) => outcomes[index] === 'gone');
  if (lostTokens.length > 0) {
    await db
      .delete(wallet_device)
      .where(and(eq(wallet_device.pass_id, passId), inArray(wallet_device.push_token, lostTokens)));
  }
  if (outcomes.includes('failed')) throw new Error('A device could not be notified');
}
