import { expect, test } from 'vitest';
import { defaultLegalText } from '../../src/domain/club/public-page-texts.ts';
import { type AccountUse, deletionDay, retentionStep } from '../../src/domain/retention.ts';

const at = (day: string) => new Date(`${day}T12:00:00Z`);
const use = (known: Partial<AccountUse> = {}): AccountUse => ({
  created_at: at('2020-01-10'),
  last_used_at: null,
  membership_ended_on: null,
  noticed_at: null,
  ...known,
});
const step = (known: Partial<AccountUse>, today: string, months = 24) =>
  retentionStep(use(known), { months, now: at(today), timeZone: 'UTC' });

test.each<[string, Partial<AccountUse>, string, number, ReturnType<typeof retentionStep>]>([
  ['0 months is never', {}, '2026-06-15', 0, 'keep'],
  ['never signed in: the day before', {}, '2022-01-09', 24, 'keep'],
  ['never signed in: from its making on', {}, '2022-01-10', 24, 'notify'],
  ['a sign-in counts instead', { last_used_at: at('2021-05-01') }, '2023-04-30', 24, 'keep'],
  ['and then is too long ago', { last_used_at: at('2021-05-01') }, '2023-05-01', 24, 'notify'],
  ['so does the end of a membership', { membership_ended_on: '2021-05-01' }, '2023-04-30', 24, 'keep'],
  [
    'the later of both',
    { last_used_at: at('2020-02-01'), membership_ended_on: '2021-05-01' },
    '2023-05-01',
    24,
    'notify',
  ],
  ['a day after the email', { noticed_at: at('2022-01-10') }, '2022-01-11', 24, 'keep'],
  ['29 days after the email', { noticed_at: at('2022-01-10') }, '2022-02-08', 24, 'keep'],
  ['30 days after the email', { noticed_at: at('2022-01-10') }, '2022-02-09', 24, 'erase'],
  [
    'a sign-in after the email',
    { noticed_at: at('2022-01-10'), last_used_at: at('2022-01-20') },
    '2022-02-09',
    24,
    'keep',
  ],
  [
    'a membership after the email',
    { noticed_at: at('2022-01-10'), membership_ended_on: '2022-01-20' },
    '2022-02-09',
    24,
    'keep',
  ],
  [
    'two years later, the earlier email counts no more',
    { noticed_at: at('2022-01-10'), last_used_at: at('2022-01-20') },
    '2024-01-20',
    24,
    'notify',
  ],
  ['a longer time set after the email', { noticed_at: at('2022-01-10') }, '2022-02-09', 36, 'keep'],
  ['and a new email when that is over', { noticed_at: at('2022-01-10') }, '2023-01-10', 36, 'notify'],
  ['refused for a month, and tried again', { noticed_at: at('2022-01-10') }, '2022-03-11', 24, 'erase'],
  ['an email whose day is long past', { noticed_at: at('2022-01-10') }, '2022-03-12', 24, 'notify'],
])('%s', (_, known, today, months, expected) => expect(step(known, today, months)).toBe(expected));

test('the day in the email is the first on which the account is deleted', () => {
  const noticed_at = new Date('2022-01-10T23:30:00Z');
  const timeZone = 'Europe/Vienna';
  const on = deletionDay(noticed_at, timeZone);
  expect(on.toISOString()).toBe('2022-02-09T23:00:00.000Z');
  const stepAt = (now: Date) => retentionStep(use({ noticed_at }), { months: 24, now, timeZone });
  expect([stepAt(new Date(on.getTime() - 1)), stepAt(on)]).toEqual(['keep', 'erase']);
});

test('the privacy page says when unused accounts are deleted, if the club deletes them', () => {
  const club = {
    club_name: 'Cellar Door',
    support_email: 'help@venue.test',
    minimum_age: 21,
    pause_months: 3,
    pause_months_a_year: 3,
    grace_days: 7,
    page_address: null,
  };
  const privacy = (retention_months: number) => defaultLegalText('privacy', { ...club, retention_months });
  expect(privacy(24)).toContain(
    'not signed in for 24 months, we email you. If you don’t sign in within 30 days',
  );
  expect(privacy(0)).not.toContain('How long we keep it');
});
