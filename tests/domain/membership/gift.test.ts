import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import {
  canSendOn,
  GIFT_STATUSES,
  giftCodeOf,
  giftCodeText,
  giftEndsOn,
  giftLastDay,
  giftPrice,
  readGiftCode,
  redeemObstacle,
  refundObstacleOf,
} from '../../../src/domain/membership/gift.ts';

// docs/rules/gifts.md, "Gifts".

const ZONE = 'America/New_York';

test('a code is read in lowercase, and with o for 0 and l for 1; without its first letter it is none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 32 }), (bytes) => {
      const code = giftCodeOf(bytes);
      const typed = giftCodeText(code).toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l');
      expect(readGiftCode(typed)).toBe(code);
      expect(readGiftCode(code.slice(1))).toBeNull();
    }),
  );
});

test('codes use 32 letters and digits, and no U', () => {
  const letters = new Set(Array.from({ length: 200 }, () => giftCodeOf(randomBytes(20))).join(''));
  expect(letters.size).toBe(32);
  expect(readGiftCode('0000-0000-0000-0000-000U')).toBeNull();
});

it.each([
  ['2026-01-31', 3, '2026-04-30', '2026-04-29'],
  ['2026-11-30', 3, '2027-02-28', '2027-02-27'],
  ['2028-02-29', 12, '2029-02-28', '2029-02-27'],
  ['2026-06-15', 6, '2026-12-15', '2026-12-14'],
])(
  'a gift from %s for %i months: the first day without it is %s, the last day with it %s',
  (begins, months, ends, last) => {
    expect(giftEndsOn(begins, months)).toBe(ends);
    expect(giftLastDay(ends)).toBe(last);
  },
);

test('a gift costs the monthly price for each month', () => expect(giftPrice(3900, 6)).toBe(23_400));

it.each([
  ['2026-06-14', false],
  ['2026-06-15', true],
  ['2027-06-15', true],
  ['2027-06-16', false],
])('an email for %s can be ordered: %s', (day, can) => {
  expect(canSendOn(day, new Date('2026-06-16T03:00:00Z'), ZONE)).toBe(can);
});

const OBSTACLES = {
  ordered: ['unpaid', 'unpaid'],
  paid: [null, null],
  redeemed: ['redeemed', 'redeemed'],
  refunding: [null, 'refunded'],
  refunded: [null, 'refunded'],
  kept: [null, 'refunded'],
} as const;

it.each(GIFT_STATUSES)(
  'a gift that is %s has the right obstacles to a refund and to redeeming it',
  (status) => {
    const gift = { status, disputed: false };
    expect([refundObstacleOf(gift), redeemObstacle(gift, false)]).toEqual(OBSTACLES[status]);
  },
);

test('a disputed gift cannot be refunded or redeemed, and a member can redeem none', () => {
  const disputed = { status: 'paid', disputed: true } as const;
  expect([refundObstacleOf(disputed), redeemObstacle(disputed, false)]).toEqual(['disputed', 'disputed']);
  expect(redeemObstacle({ status: 'paid', disputed: false }, true)).toBe('member');
});
