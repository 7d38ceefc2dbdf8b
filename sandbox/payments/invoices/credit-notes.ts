import type Stripe from 'stripe';
import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { CreditNote, Invoice } from '../http/wire.ts';
import { whole } from '../http/wire.ts';
import { settle } from '../resources/charging.ts';
import { cancelPayment, paymentOf } from '../resources/payment-records.ts';
import { refundCharge } from '../resources/refunds.ts';
import { changed, emit, finder, newId, timeOf, type World } from '../store/world.ts';
import { findInvoice } from './invoices.ts';

const fields = {
  amount: p.needed(p.integer),
  credit_amount: p.integer,
  invoice: p.needed(p.text),
  memo: p.text,
  metadata: p.metadata,
  out_of_band_amount: p.integer,
  reason: p.word<Stripe.CreditNoteCreateParams.Reason>(),
  refund_amount: p.integer,
};
type Input = p.Params<typeof fields>;

const findCreditNote = finder('credit note', (state) => state.credit_notes);

/** A credit note that is not issued yet. It first reduces what is owed. Throws 400 for more than the invoice leaves. */
function draftNote(world: World, invoice: Invoice, input: Input): CreditNote {
  if (!['open', 'paid', 'uncollectible'].includes(invoice.status ?? ''))
    throw invalid(`You cannot create a credit note for an invoice that is ${invoice.status}.`, 'invoice');
  const credit = invoice.pre_payment_credit_notes_amount + invoice.post_payment_credit_notes_amount;
  if (input.amount < 1 || input.amount > invoice.total - credit)
    throw invalid('The credit note amount must be positive and within the amount of the invoice.', 'amount');
  const debt = invoice.amount_remaining;
  const pre_payment_amount = Math.min(input.amount, debt);
  const post_payment_amount = input.amount - pre_payment_amount;
  const { credit_amount = 0, refund_amount = 0, out_of_band_amount = 0 } = input;
  if (credit_amount + refund_amount + out_of_band_amount !== post_payment_amount)
    throw invalid(
      'The sum of credit amount, refund amount and out of band amount must equal the post payment amount.',
    );
  const created = timeOf(world, invoice.test_clock);
  const notes = Object.values(world.state.credit_notes).filter((note) => note.invoice === invoice.id);
  const id = newId('cn');
  return {
    ...blank('credit_note'),
    id,
    amount: input.amount,
    amount_shipping: 0,
    created,
    currency: invoice.currency,
    customer: invoice.customer ?? '',
    discount_amount: 0,
    effective_at: created,
    invoice: invoice.id,
    lines: whole([], `/v1/credit_notes/${id}/lines`),
    memo: input.memo ?? null,
    metadata: p.mergedMetadata({}, input.metadata),
    number: `${invoice.number}-CN-${String(notes.length + 1).padStart(2, '0')}`,
    out_of_band_amount: input.out_of_band_amount ?? null,
    pdf: `${world.publicUrl}/i/${invoice.id}?print=1`,
    post_payment_amount,
    pre_payment_amount,
    reason: input.reason ?? null,
    status: 'issued',
    subtotal: input.amount,
    total: input.amount,
    total_taxes: [],
    type: noteType(pre_payment_amount, post_payment_amount),
  };
}

function noteType(before: number, after: number): CreditNote['type'] {
  if (before > 0 && after > 0) return 'mixed';
  return before > 0 ? 'pre_payment' : 'post_payment';
}

/** Issues a credit note: less is owed, and what was paid is refunded or credited to the customer's balance. */
function issue(world: World, invoice: Invoice, input: Input): CreditNote {
  const note = draftNote(world, invoice, input);
  const intent = paymentOf(world, invoice.id)?.intent;
  const charge = world.state.charges[intent?.latest_charge ?? ''];
  if (input.refund_amount) {
    if (!charge?.paid) throw invalid('The invoice has no charge to refund.', 'refund_amount');
    const { id: refund, amount: amount_refunded } = refundCharge(world, charge, {
      amount: input.refund_amount,
    });
    note.refunds = [{ amount_refunded, payment_record_refund: null, refund, type: 'refund' }];
  }
  const customer = world.state.customers[invoice.customer ?? ''];
  if (input.credit_amount && customer)
    changed(world, 'customer.updated', customer, () => {
      customer.balance -= input.credit_amount ?? 0;
    });
  changed(world, 'invoice.updated', invoice, () => {
    invoice.amount_due -= note.pre_payment_amount;
    invoice.amount_remaining -= note.pre_payment_amount;
    invoice.pre_payment_credit_notes_amount += note.pre_payment_amount;
    invoice.post_payment_credit_notes_amount += note.post_payment_amount;
  });
  world.state.credit_notes[note.id] = note;
  emit(world, 'credit_note.created', note);
  if (intent && note.pre_payment_amount > 0 && invoice.amount_remaining > 0)
    intent.amount = invoice.amount_remaining;
  if (note.pre_payment_amount > 0 && invoice.amount_remaining === 0) {
    cancelPayment(world, invoice);
    settle(world, invoice);
  }
  return note;
}

export const creditNoteRoutes: Route[] = [
  route('POST', '/v1/credit_notes', fields, ({ world, params }) =>
    issue(world, findInvoice(world, params.invoice, 'invoice'), params),
  ),
  route('GET', '/v1/credit_notes/preview', fields, ({ world, params }) =>
    draftNote(world, findInvoice(world, params.invoice, 'invoice'), params),
  ),
  list('/v1/credit_notes', (state) => state.credit_notes, { customer: p.text, invoice: p.text }),
  route('GET', '/v1/credit_notes/:id', {}, ({ world, id }) => findCreditNote(world, id)),
];
