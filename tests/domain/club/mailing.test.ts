import { describe, expect, it } from 'vitest';
import {
  type Audience,
  MAX_MAILING_RECIPIENTS,
  mailingFor,
  mailingObstacle,
  mailingProblem,
} from '../../../src/domain/club/mailing.ts';

const SITE = 'https://club.example';
const NOW = new Date('2026-12-01T12:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000);

const problemOf = (text: string, subject = 'News') => mailingProblem({ subject, text }, SITE);

describe('the words of an email to a list', () => {
  it.each([
    'The new Barolo is open, {first_name}.',
    `Book at ${SITE}/club.`,
    `See ${SITE}/club?offer=AUTUMN, or just come by.`,
    'Write to bar@club.example',
    'It’s <3 years old & {first_name} likes it',
  ])('are taken: %s', (text) => {
    expect(problemOf(text)).toBeNull();
  });

  it.each([
    ['HTML', 'Come <b>today</b>'],
    ['a foreign link', 'Book at https://elsewhere.example/x'],
    ['a bare domain', 'Book at elsewhere.com'],
    ['a longer host', `${SITE}.evil.com/x`],
    ['a user name before another host', `${SITE}@evil.com/x`],
    ['a user name with a port', `${SITE}:80@evil.com/x`],
    ['a host behind a backslash', `${SITE}\\.evil.com`],
    ['a link in front of an own one', `x.com${SITE}/club`],
    ['another variable', 'Hello {last_name}'],
    ['a single brace', 'Hello {'],
    ['a character that reverses the text', 'Hello \u202Eada'],
  ])('are refused with %s', (_what, text) => {
    expect(problemOf(text)).toMatchObject({ field: 'text' });
    expect(problemOf('Fine', text)).toMatchObject({ field: 'subject' });
  });
});

it('an email to a list names its reader, and nothing in a name is filled in again', () => {
  const words = { subject: 'For {first_name}', text: 'Come, {first_name}.' };
  expect(mailingFor(words, 'Ada')).toEqual({ subject: 'For Ada', text: 'Come, Ada.' });
  expect(mailingFor(words, '')).toEqual({ subject: 'For there', text: 'Come, there.' });
  expect(mailingFor(words, '{first_name} $&').text).toBe('Come, {first_name} $&.');
});

const whole: Audience = { wanted: 2, unasked: 1, refused: 1 };
it.each([
  ['nothing', {}, null],
  ['email is off', { sendsEmail: false }, 'email_off'],
  ['nobody on it said yes', { audience: { ...whole, wanted: 0 } }, 'nobody'],
  ['5,000 said yes', { audience: { ...whole, wanted: MAX_MAILING_RECIPIENTS } }, null],
  ['5,001 said yes', { audience: { ...whole, wanted: MAX_MAILING_RECIPIENTS + 1 } }, 'too_many'],
  ['the last was six days ago', { last: daysAgo(6) }, 'too_soon'],
  ['the last was seven days ago', { last: daysAgo(7) }, null],
  ['the last was today, and this is about the opening', { last: NOW, aboutOpening: true }, null],
] as const)('an email to a list when %s', (_when, facts, obstacle) => {
  const all = { audience: whole, sendsEmail: true, last: null, aboutOpening: false, ...facts };
  expect(mailingObstacle(all, NOW)).toBe(obstacle);
});
