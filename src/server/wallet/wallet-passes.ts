import { Refusal } from '../../contract/refusals.ts';
import type { WalletPlatform } from '../../contract/site.ts';
import { and, eq } from '../db/orm.ts';
import { asMember } from '../db/row-security.ts';
import { wallet_pass } from '../db/schema.ts';
import { allowanceOf } from '../pours/allowance.ts';
import { PKPASS_TYPE } from './apple-pass.ts';
import { currentPass, hashOfContent, type PassContent, passToken } from './pass-content.ts';
import type { WalletContext } from './wallet-context.ts';

/** The actor's pass, whose row is made at the first request. Throws Refusal CUSTOMER_NOT_ACTIVE without access. */
async function ownPass(
  ctx: WalletContext,
  platform: WalletPlatform,
): Promise<{ id: string; content: PassContent }> {
  const user_id = ctx.actor.user_id;
  const member = await allowanceOf(ctx, 'user_id', user_id);
  const pass = member?.access ? await currentPass(ctx, member.id) : null;
  if (!member || !pass) throw new Refusal('CUSTOMER_NOT_ACTIVE');
  const at = ctx.now();
  await ctx.db
    .insert(wallet_pass)
    .values({
      id: ctx.newId(),
      user_id,
      customer_id: member.id,
      platform,
      content_hash: hashOfContent(pass.content),
      updated_at: at,
      created_at: at,
    })
    .onConflictDoNothing();
  const [row] = await ctx.db
    .select({ id: wallet_pass.id })
    .from(wallet_pass)
    .where(and(eq(wallet_pass.user_id, user_id), eq(wallet_pass.platform, platform)));
  if (!row) throw new Error('A pass that was just made is gone');
  return { id: row.id, content: pass.content };
}

/**
 * The actor's pass as a file. Throws Refusal NOT_FOUND if no such passes are made, CUSTOMER_NOT_ACTIVE without access,
 * TOO_MANY_ATTEMPTS while too many wait.
 */
export async function getApplePass(ctx: WalletContext): Promise<File> {
  const { apple } = ctx.wallets;
  if (!apple) throw new Refusal('NOT_FOUND', { what: 'wallet' });
  const { id, content } = await asMember(ctx.db, ctx.actor.user_id, (db) => ownPass({ ...ctx, db }, 'apple'));
  const file = await apple.make({ id, content, token: passToken(ctx.walletKey, id) });
  return new File([file as Uint8Array<ArrayBuffer>], 'membership.pkpass', { type: PKPASS_TYPE });
}

/** Throws Refusal NOT_FOUND if no such passes are made, and CUSTOMER_NOT_ACTIVE without access. */
export async function linkGooglePass(ctx: WalletContext): Promise<{ url: string }> {
  const { google } = ctx.wallets;
  if (!google) throw new Refusal('NOT_FOUND', { what: 'wallet' });
  const { id, content } = await asMember(ctx.db, ctx.actor.user_id, (db) =>
    ownPass({ ...ctx, db }, 'google'),
  );
  return { url: await google.saveUrl(id, content) };
}
