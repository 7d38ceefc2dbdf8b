import { describe, expect, test } from 'vitest';
import {
  compareRisks,
  levelOf,
  personalEmailDraft,
  personalEmailObstacle,
  RISK_KINDS,
  type Risk,
  type RiskFacts,
  risksOf,
} from '../../../src/domain/reports/members-at-risk.ts';

const well: RiskFacts = {
  standing: 'renewing',
  days_away: 0,
  visits: 12,
  usual_gap: 7,
  verdicts: ['loved', 'not_mine'],
  glasses: { left: 4, given: 4, ends_in_days: 20 },
};
const never = { visits: 0, usual_gap: null };

describe('why a member may leave, with the figures', () => {
  test.each<[string, Partial<RiskFacts>, [Risk['level'], string][]]>([
    ['a member who is well', {}, []],
    ['an overdue payment', { standing: 'overdue' }, [['high', 'A payment is overdue']]],
    ['was here 20 days ago', { days_away: 20 }, []],
    [
      'comes every week, and is away for 45 days',
      { days_away: 45 },
      [['medium', 'Used to come every 7 days, last here 45 days ago']],
    ],
    [
      'comes every week, and is away for 60 days',
      { days_away: 60 },
      [['high', 'Used to come every 7 days, last here 60 days ago']],
    ],
    [
      'used to come daily',
      { days_away: 30, usual_gap: 1 },
      [['medium', 'Used to come every day, last here 30 days ago']],
    ],
    [
      'away as long as usual',
      { days_away: 30, usual_gap: 20 },
      [['low', 'Often stays away this long, last here 30 days ago']],
    ],
    [
      'comes every month, and is away for 61 days',
      { days_away: 61, usual_gap: 31 },
      [['high', 'Two months without a visit, last here 61 days ago']],
    ],
    [
      'came twice',
      { days_away: 30, visits: 2, usual_gap: null },
      [['low', 'Too few visits to tell, last here 30 days ago']],
    ],
    ['never came, in 30 days', { days_away: 30, ...never }, [['medium', 'No visit recorded in 30 days']]],
    ['never came, in 60 days', { days_away: 60, ...never }, [['high', 'No visit recorded in 60 days']]],
    [
      'has canceled',
      { days_away: 30, standing: 'ending' },
      [['high', 'Canceled, and the membership is running out, last here 30 days ago']],
    ],
    ['has canceled and was here', { standing: 'ending' }, []],
    [
      'away with a payment overdue, each said once',
      { days_away: 45, standing: 'overdue' },
      [
        ['high', 'A payment is overdue'],
        ['high', 'Last here 45 days ago'],
      ],
    ],
    [
      'two in a row that were not theirs',
      { verdicts: ['not_mine', 'not_mine'] },
      [['medium', 'Rated the last 2 wines “Not mine”']],
    ],
    ['a single wine that was not theirs', { verdicts: ['not_mine'] }, []],
    ['one that was not theirs, and a better one since', { verdicts: ['fine', 'not_mine'] }, []],
    [
      'half left in the last week',
      { glasses: { left: 2, given: 4, ends_in_days: 7 } },
      [['medium', '2 of 4 pours left, with 7 days to go']],
    ],
    ['less than half left', { glasses: { left: 1, given: 4, ends_in_days: 3 } }, []],
    ['eight days to go', { glasses: { left: 4, given: 4, ends_in_days: 8 } }, []],
    ['a tier without glasses', { glasses: { left: 0, given: 0, ends_in_days: 1 } }, []],
    ['glasses that are not counted', { glasses: null }, []],
  ])('%s', (_, change, expected) => {
    expect(risksOf({ ...well, ...change }).map(({ level, text }) => [level, text])).toEqual(expected);
  });

  test('the most urgent reason comes first', () => {
    const all = risksOf({
      ...well,
      standing: 'overdue',
      days_away: 45,
      verdicts: ['not_mine', 'not_mine'],
      glasses: { left: 4, given: 4, ends_in_days: 1 },
    });
    expect(all.map(({ kind }) => kind)).toEqual([...RISK_KINDS]);
    expect(levelOf(all)).toBe('high');
  });

  test('the most likely to leave comes first: by level, reason, number of reasons, days away', () => {
    const of = (change: Partial<RiskFacts>) => ({
      risks: risksOf({ ...well, ...change }),
      days_away: change.days_away ?? 0,
    });
    const unused = { glasses: { left: 4, given: 4, ends_in_days: 1 } };
    const inOrder = [
      of({ standing: 'overdue' }),
      of({ days_away: 70 }),
      of({ days_away: 65 }),
      of({ days_away: 45, ...unused }),
      of({ days_away: 50 }),
      of(unused),
      of({ days_away: 40, usual_gap: 30 }),
      of({ days_away: 30, usual_gap: 30 }),
    ];
    expect([...inOrder].reverse().sort(compareRisks)).toEqual(inOrder);
  });
});

describe('whether staff may write', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  test.each([
    ['to a member at risk', true, true, null, null],
    ['not to a member who is not at risk', false, true, null, 'not_at_risk'],
    ['not to a member who has not answered', true, null, null, 'not_agreed'],
    ['not to a member who said no', true, false, null, 'opted_out'],
    ['not twice within 30 days', true, true, daysAgo(29.9), 'too_soon'],
    ['again after 30 days', true, true, daysAgo(30), null],
  ])('%s', (_, at_risk, wanted, last_email, obstacle) =>
    expect(personalEmailObstacle({ at_risk, wanted, last_email }, now)).toBe(obstacle),
  );
});

test('every reason has a draft email', () => {
  for (const kind of RISK_KINDS) {
    const { subject, text } = personalEmailDraft(kind, 'Weingut Berger');
    expect([kind, subject.length > 5, text.split('\n\n').length > 1]).toEqual([kind, true, true]);
  }
});
