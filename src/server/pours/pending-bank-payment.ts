import type { BankPayment } from '../../contract/bank-payment.ts';
import type { Db, Tx } from '../db/client.ts';
import { type SQL, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { isoInstant } from '../platform/sql-text.ts';

/**
 * What a user paid by bank for a year, or for a dearer tier in one, and the bank has not answered, as JSON; null without one.
 * docs/rules/years.md, "A payment that takes days".
 */
export const bankPaymentOf = (user_id: SQL): SQL => sql`(
  select jsonb_build_object('tier', o.tier_name, 'months', o.months, 'amount_cents', o.amount_cents, 'since', ${isoInstant(sql`o.submitted_at`)})
    from checkout_attempt o
   where o.user_id = ${user_id} and o.status in ('creating', 'open') and o.submitted_at is not null and o.months is not null)`;

/** As bankPaymentOf, of one user. */
export async function readBankPayment(db: Db | Tx, user_id: string): Promise<BankPayment | null> {
  const [row] = await rowsOf<{ payment: BankPayment | null }>(
    db,
    sql`select ${bankPaymentOf(sql`${user_id}::uuid`)} as payment`,
  );
  return row?.payment ?? null;
}
