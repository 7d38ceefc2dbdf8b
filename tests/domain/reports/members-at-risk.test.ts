import { describe, expect, test } from 'vitest';
import {
  personalEmailDraft,
  personalEmailObstacle,
  RISK_KINDS,
  type RiskFacts,
  risksOf,
} from '../../../src/domain/reports/members-at-risk.ts';

const well: RiskFacts = {
  overdue: false,
  not_seen: null,
  verdicts: ['loved', 'not_mine'],
  glasses: { left: 4, given: 4, ends_in_days: 20 },
};
const away = { days_away: 45, usual_gap: 7, visits: 12, standing: 'renewing' } as const;

describe('why a member may leave, with the figures', () => {
  test.each<[string, Partial<RiskFacts>, string[]]>([
    ['who is well', {}, []],
    ['a payment', { overdue: true }, ['A payment is overdue']],
    ['away against their habit', { not_seen: away }, ['Used to come every 7 days, last here 45 days ago']],
    ['away as long as usual', { not_seen: { ...away, usual_gap: 30 } }, []],
    ['here lately', { not_seen: { ...away, days_away: 20 } }, []],
    [
      'never came',
      { not_seen: { ...away, days_away: 30, visits: 0, usual_gap: null } },
      ['No visit recorded in 30 days'],
    ],
    [
      'away with a payment overdue, each said once',
      { overdue: true, not_seen: { ...away, standing: 'overdue' } },
      ['A payment is overdue', 'Last here 45 days ago'],
    ],
    [
      'two in a row that were not theirs',
      { verdicts: ['not_mine', 'not_mine'] },
      ['Rated the last 2 wines “Not mine”'],
    ],
    ['one alone', { verdicts: ['not_mine'] }, []],
    ['one, and a better one since', { verdicts: ['fine', 'not_mine'] }, []],
    [
      'half left in the last week',
      { glasses: { left: 2, given: 4, ends_in_days: 7 } },
      ['2 of 4 pours left, with 7 days to go'],
    ],
    ['less than half left', { glasses: { left: 1, given: 4, ends_in_days: 3 } }, []],
    ['eight days to go', { glasses: { left: 4, given: 4, ends_in_days: 8 } }, []],
    ['a tier without glasses', { glasses: { left: 0, given: 0, ends_in_days: 1 } }, []],
  ])('%s', (_, change, texts) => {
    expect(risksOf({ ...well, ...change }).map(({ text }) => text)).toEqual(texts);
  });

  test('the most pressing reason comes first', () => {
    const all = risksOf({
      overdue: true,
      not_seen: { ...away, standing: 'overdue' },
      verdicts: ['not_mine', 'not_mine'],
      glasses: { left: 4, given: 4, ends_in_days: 1 },
    });
    expect(all.map(({ kind }) => kind)).toEqual([...RISK_KINDS]);
  });
});

describe('whether staff may write', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  test.each([
    ['to who is at risk', true, false, null, null],
    ['not to who is not', false, false, null, 'not_at_risk'],
    ['not to who opted out', true, true, null, 'opted_out'],
    ['not twice within 30 days', true, false, daysAgo(29.9), 'too_soon'],
    ['after 30 days again', true, false, daysAgo(30), null],
  ])('%s', (_, at_risk, opted_out, last_letter, obstacle) =>
    expect(personalEmailObstacle({ at_risk, opted_out, last_letter }, now)).toBe(obstacle),
  );
});

test('every reason has a draft letter', () => {
  for (const kind of RISK_KINDS) {
    const { subject, text } = personalEmailDraft(kind, 'Weingut Berger');
    expect([kind, subject.length > 5, text.split('\n\n').length > 1]).toEqual([kind, true, true]);
  }
});
