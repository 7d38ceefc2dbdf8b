import { deleteAccount } from '../privacy/erasure.ts';
import type { AuthorizedContext } from './authorize.ts';

/** Throws what deleteAccount throws. */
export async function deleteAccountAndSession(ctx: AuthorizedContext, input: { password: string }) {
  const deleted = await deleteAccount(ctx, input);
  // Its session is gone; asking again makes the response clear the cookies.
  await ctx.authenticate('fresh');
  return deleted;
}
