import { describe, expect, test } from 'vitest';
import type { Subscription } from '../../../src/contract/functions.ts';
import type { DuesNow, OwnEnd } from '../../../src/contract/members.ts';
import { shortDay } from '../../../src/web/format/dates.ts';
import { subscriptionLine, venueLine } from '../../../src/web/member/billing/billing-line.ts';

const TODAY = '2026-12-01';
const at = (month: number, day: number, year = 2026) => Date.UTC(year, month - 1, day, 12) / 1000;

describe('what comes next for a subscription', () => {
  const renewal = { at: at(12, 14), tier: 'premier', amount: 6900 };
  const subscription: Subscription = {
    ...{ status: 'active', cancel_at_period_end: false, ends_at: null, ended_on: null },
    ...{ current_period_end: at(12, 14), next_charge: renewal, charge_if_kept: null },
    ...{ charge_if_canceled: null, return_amount: null, amount: 6900, tier: 'premier' },
    ...{ pending_tier: null, approval: null, price_move: null, pause: null, grace_until: null },
    ...{ is_charging: false, collection: null, currency: 'usd', tax_behavior: 'unspecified' },
    ...{ payment_method: null, year_cents: null, year_from: null },
  };
  const paused = { from: at(12, 14), until: at(1, 14, 2027), begun: true };

  test.each<[string, Partial<Subscription>, string | undefined]>([
    ['renews', {}, 'Dec 14, $69'],
    ['renews at another price', { next_charge: { ...renewal, amount: 4950 } }, 'Dec 14, $49.50'],
    ['renews with tax', { tax_behavior: 'exclusive' }, 'Dec 14, $69 plus tax'],
    ['renews with its tax included', { tax_behavior: 'inclusive' }, 'Dec 14, $69'],
    ['renews, and ends later', { ends_at: at(1, 20, 2027) }, 'Dec 14, $69'],
    ['is paused', { pause: paused, next_charge: { ...renewal, at: paused.until } }, 'Jan 14, $69'],
    ['is paused without an end', { pause: { ...paused, until: null }, next_charge: null }, 'Paused'],
    ['is overdue', { status: 'past_due' }, 'Overdue'],
    ['is canceled', { cancel_at_period_end: true, ends_at: at(12, 14), next_charge: null }, 'Ends Dec 14'],
    ['is canceled, with a last charge', { cancel_at_period_end: true, ends_at: at(12, 14) }, 'Ends Dec 14'],
    [
      'is followed by a year',
      { cancel_at_period_end: true, ends_at: at(12, 14), year_from: at(12, 14), next_charge: null },
      'A year from Dec 14',
    ],
    ['is on hold', { status: 'unpaid', ended_on: '2026-11-20' }, 'On hold since Nov 20'],
    ['has ended', { status: 'canceled', ended_on: '2026-01-20' }, 'Ended Jan 20, 2026'],
    ['was never paid', { status: 'incomplete_expired', next_charge: null }, undefined],
  ])('that %s', (_, change, line) => {
    expect(subscriptionLine({ ...subscription, ...change }, TODAY)?.text).toBe(line);
  });

  test('a date and an amount are said to be the next charge', () => {
    expect(subscriptionLine(subscription, TODAY)?.label).toBe('Next charge:');
  });
});

describe('what comes next for a membership without a card', () => {
  const dues: DuesNow = {
    ...{ state: 'paid', paid_until: '2026-12-14', grace_until: '2026-12-21', price_cents: 6900 },
    ...{ year_cents: null, is_year: false },
  };
  const ends: OwnEnd = {
    ...{ last_day: '2027-04-29', ends_at: '2027-04-30T12:00:00.000Z', is_gift: false },
    ...{ on_the_house: false, by_member: true, then_by_card: false },
  };

  test.each<[string, Partial<OwnEnd> | null, Partial<DuesNow> | null, string | undefined]>([
    ['paid by the month', null, {}, 'Paid until Dec 14'],
    ['due', null, { state: 'due' }, 'Paid until Dec 14'],
    ['overdue', null, { state: 'overdue' }, 'Overdue'],
    ['a year', null, { is_year: true, paid_until: '2027-11-01' }, 'Last day Oct 31, 2027'],
    ['a year that ends soon', null, { is_year: true }, 'Last day Dec 13'],
    ['canceled', {}, {}, 'Ends Apr 30'],
    ['followed by a card', { then_by_card: true }, {}, 'By card from Apr 30'],
    ['a gift', { is_gift: true }, null, 'A gift through Apr 29'],
    ['on the house', { on_the_house: true }, null, 'On the house through Apr 29'],
    ['not counted', null, null, undefined],
    ['ended', null, { state: 'ended' }, undefined],
  ])('that is %s', (_, end, change, line) => {
    const text = venueLine(end && { ...ends, ...end }, change && { ...dues, ...change }, TODAY)?.text;
    expect(text).toBe(line);
  });
});

test('a day far from today has its year, before and after', () => {
  const days = ['2026-05-31', '2026-06-01', '2027-06-02', '2027-06-03'];
  expect(days.map((day) => shortDay(day, TODAY))).toEqual([
    ...['May 31, 2026', 'Jun 1', 'Jun 2', 'Jun 3, 2027'],
  ]);
});
