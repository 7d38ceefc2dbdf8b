import type Stripe from 'stripe';
import { isForbidden } from '../stripe-errors.ts';
import { allOf, PAGE_SIZE } from './whole-lists.ts';

/**
 * Cents that credit notes gave back of paid invoices without a refund, by invoice: as credit for later invoices, or outside
 * of Stripe (docs.stripe.com/api/credit_notes/create). Refunds of a credit note are part of the charge. A key that
 * may not read credit notes counts them whole, so that nothing is given back twice. Throws Stripe's other errors.
 */
export async function fetchCredited(
  stripe: Stripe,
  invoices: Stripe.Invoice[],
): Promise<Map<string, number>> {
  const credited = invoices.filter(
    (it) => it.status === 'paid' && it.post_payment_credit_notes_amount > 0 && it.id,
  );
  return new Map(
    await Promise.all(
      credited.map(async ({ id = '', post_payment_credit_notes_amount: whole }) => {
        const notes = await notesOf(stripe, id);
        return [id, notes?.reduce((sum, note) => sum + withoutRefunds(note), 0) ?? whole] as const;
      }),
    ),
  );
}

async function notesOf(stripe: Stripe, invoice: string): Promise<Stripe.CreditNote[] | null> {
  try {
    return await allOf(stripe.creditNotes.list({ invoice, limit: PAGE_SIZE }));
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return null;
  }
}

function withoutRefunds({ status, post_payment_amount, refunds }: Stripe.CreditNote): number {
  if (status === 'void') return 0;
  const refunded = refunds.reduce((sum, { amount_refunded }) => sum + amount_refunded, 0);
  return Math.max(0, post_payment_amount - refunded);
}
