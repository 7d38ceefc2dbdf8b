import { emailFirstPassword } from '../../auth/password/password-reset.ts';
import type { Tx } from '../../db/client.ts';
import { sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import type { BillingNotice } from '../billing-context.ts';

/**
 * Emails a link to choose a password to someone who joined from a tier, once their first membership begins: signed in, and
 * without a password, so that a closed browser loses nothing. docs/rules/membership.md, "Joining from a tier".
 */
export async function emailJoined(
  ctx: Parameters<typeof emailFirstPassword>[0],
  tx: Tx,
  { type, cause, user_id }: BillingNotice,
): Promise<void> {
  if (type !== 'membership_started' && type !== 'year_started') return;
  const [row] = await rowsOf<{ waits: boolean }>(
    tx,
    sql`select exists (select from sessions s where s.user_id = ${user_id}::uuid)
               and not exists (select from accounts a where a.user_id = ${user_id}::uuid) as waits`,
  );
  if (row?.waits) await emailFirstPassword(ctx, tx, user_id, 'joined', cause);
}
