import { expect, it } from 'vitest';
import { type NotSeen, notSeenRisk } from '../../../src/domain/reports/not-seen.ts';

const REGULAR: NotSeen = { days_away: 30, usual_gap: 7, visits: 20, standing: 'renewing' };

it.each<[string, Partial<NotSeen>, ReturnType<typeof notSeenRisk>]>([
  ['was here 20 days ago', { days_away: 20 }, null],
  ['comes every week, and is away for 30 days', {}, { risk: 'medium', why: 'Used to come every 7 days' }],
  ['the same for two months', { days_away: 60 }, { risk: 'high', why: 'Used to come every 7 days' }],
  ['used to come daily', { usual_gap: 1 }, { risk: 'medium', why: 'Used to come every day' }],
  ['comes every 20 days', { usual_gap: 20 }, { risk: 'low', why: 'Often stays away this long' }],
  [
    'comes every month, and is away for 61 days',
    { usual_gap: 31, days_away: 61 },
    { risk: 'high', why: 'Two months without a visit' },
  ],
  ['came twice', { visits: 2, usual_gap: null }, { risk: 'low', why: 'Too few visits to tell' }],
  ['never came in a month', { visits: 0, usual_gap: null }, { risk: 'medium', why: 'No visit recorded' }],
  [
    'never came in two',
    { visits: 0, usual_gap: null, days_away: 60 },
    { risk: 'high', why: 'No visit recorded' },
  ],
  [
    'has canceled',
    { standing: 'ending' },
    { risk: 'high', why: 'Canceled, and the membership is running out' },
  ],
  ['owes a payment', { standing: 'overdue' }, { risk: 'high', why: 'A payment is overdue' }],
])('a member who %s', (_, facts, expected) => {
  expect(notSeenRisk({ ...REGULAR, ...facts })).toEqual(expected);
});
