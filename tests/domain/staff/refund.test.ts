import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type RefundAsk,
  type RefundablePayment,
  type RefundObstacle,
  refundObstacle,
  splitRefund,
} from '../../../src/domain/staff/refund.ts';

// docs/rules/billing.md, "Refunds by staff".

const PAID: RefundablePayment = {
  paid_cents: 3900,
  refunded_cents: 1000,
  credited_cents: 0,
  disputed: false,
  unrefundable: false,
  under_way: false,
};
const all: RefundAsk = { amount_cents: 2900, shown_refunded_cents: 1000 };

test.each<[string, Partial<RefundablePayment>, Partial<RefundAsk>, RefundObstacle | null]>([
  ['all that is left', {}, {}, null],
  ['a part', {}, { amount_cents: 1 }, null],
  ['a cent more than is left', {}, { amount_cents: 2901 }, 'too_much'],
  ['all but what a credit note gave back', { credited_cents: 500 }, { amount_cents: 2400 }, null],
  ['a cent more than a credit note left', { credited_cents: 500 }, { amount_cents: 2401 }, 'too_much'],
  [
    'of a payment that a credit note gave back',
    { credited_cents: 2900 },
    { amount_cents: 1 },
    'nothing_left',
  ],
  [
    'of a payment that was given back',
    { refunded_cents: 3900 },
    { shown_refunded_cents: 3900 },
    'nothing_left',
  ],
  [
    'of a payment of nothing',
    { paid_cents: 0, refunded_cents: 0 },
    { shown_refunded_cents: 0 },
    'nothing_left',
  ],
  ['of a disputed payment', { disputed: true }, {}, 'disputed'],
  ['of a payment outside of Stripe', { unrefundable: true }, {}, 'unrefundable'],
  ['while another refund is under way', { under_way: true }, { amount_cents: 1 }, 'under_way'],
  ['after a colleague gave some back', { refunded_cents: 2000 }, { amount_cents: 1 }, 'outdated'],
  ['after a bank sent some back', { refunded_cents: 500 }, { amount_cents: 1 }, 'outdated'],
])('%s: %o %o is %s', (_, payment, ask, obstacle) => {
  expect(refundObstacle({ ...PAID, ...payment }, { ...all, ...ask })).toBe(obstacle);
});

describe('an amount of a payment made in parts', () => {
  it('is refunded from the first charge first', () => {
    const charges = [
      { payment_intent: 'pi_1', refundable_cents: 500 },
      { payment_intent: 'pi_2', refundable_cents: 0 },
      { payment_intent: 'pi_3', refundable_cents: 900 },
    ];
    expect(splitRefund(700, charges)).toEqual([
      { payment_intent: 'pi_1', amount_cents: 500 },
      { payment_intent: 'pi_3', amount_cents: 200 },
    ]);
  });

  it('can be all that is left, and never more of a charge than is left of it', () => {
    const charge = fc.record({ payment_intent: fc.uuid(), refundable_cents: fc.nat(5000) });
    fc.assert(
      fc.property(fc.nat(12_000), fc.array(charge, { maxLength: 4 }), (amount, charges) => {
        const parts = splitRefund(amount, charges);
        const left = charges.reduce((sum, { refundable_cents }) => sum + refundable_cents, 0);
        expect(parts.reduce((sum, it) => sum + it.amount_cents, 0)).toBe(Math.min(amount, left));
        for (const { payment_intent, amount_cents } of parts) {
          const of = charges.find((it) => it.payment_intent === payment_intent);
          expect(amount_cents).toBeGreaterThan(0);
          expect(amount_cents).toBeLessThanOrEqual(of?.refundable_cents ?? 0);
        }
      }),
    );
  });
});
