import { describe, expect, it, test } from 'vitest';
import {
  EMAIL_KIND_NAMES,
  type EmailKind,
  fillVariables,
  paragraphsOf,
  variablesOf,
  wordingProblem,
} from '../../../src/domain/club/emails.ts';

test.each<[EmailKind, string[]]>([
  ['password_reset', ['first_name', 'club_name', 'support_email']],
  ['welcome', ['first_name', 'club_name', 'support_email', 'tier', 'date']],
  ['payment_received', ['first_name', 'club_name', 'support_email', 'amount']],
  // The recipient's name is not known yet.
  ['staff_invitation', ['club_name', 'support_email', 'invited_by']],
])('%s offers the variables %s', (kind, variables) => {
  expect(variablesOf(kind)).toEqual(variables);
});

describe('the venue’s wording', () => {
  it.each([
    ['nothing, which is the default', ''],
    ['plain words', 'We open at 5 pm & close late – 100% à la carte.'],
    ['each variable of the email', '{first_name} {club_name} {support_email} {tier} {date}'],
    ['a less-than that begins no tag', 'Glasses < 5 and 3 <4'],
    ['sentences without a space between them', 'Thank you.See you at 5 p.m. or 19.30, e.g. on 1.12.2026.'],
    ['sentences of another script', '乾杯。また来てください。'],
    ['an email address', 'Write to ada.events@club.example.com.'],
    ['several paragraphs', 'One\n\nTwo\nThree\nFour\nFive'],
    ['as much as there is room for', 'x'.repeat(500)],
  ])('%s: accepted', (_, text) => {
    expect(wordingProblem('welcome', 'opening', text)).toBeNull();
  });

  it.each([
    [
      'a variable that no email has',
      '{wine}',
      '{wine} isn’t available in this email. You can use {first_name}, {club_name}',
    ],
    ['a variable of another email', '{amount}', '{amount} isn’t available'],
    ['a property that every object has', '{constructor}', '{constructor} isn’t available'],
    ['a brace that is not closed', 'Hello {first_name', 'Braces are for variables'],
    ['braces around nothing', 'Hello {}', 'Braces are for variables'],
    ['a variable with capitals', 'Hello {First_Name}', 'Braces are for variables'],
    ['HTML', 'a <b>bold</b> word', 'Use plain text'],
    ['a comment of HTML', '<!-- x', 'Use plain text'],
    ['a link', 'See https://evil.example', 'Leave links out'],
    ['a link without its scheme', 'See www.evil.example', 'Leave links out'],
    ['a domain with a path', 'See evil.com/login', 'Leave links out'],
    ['a domain alone', 'See evil.com.', 'Leave links out'],
    ['a domain in capitals', 'EVIL.COM', 'Leave links out'],
    ['a domain with a path in another script', '例え.テスト/a', 'Leave links out'],
    ['a domain with another dot', 'evil。com', 'Leave links out'],
    ['a domain that a variable begins', '{first_name}.com', 'Leave links out'],
    ['a path after an email', 'Write to ada@evil.com/login', 'Leave links out'],
    ['a control character', 'a\u0007b', 'Use plain text'],
    ['a carriage return', 'a\rBcc: x', 'Use plain text'],
    ['a character that reverses the text', 'a\u202Eb', 'Use plain text'],
    ['too many paragraphs', 'a\nb\nc\nd\ne\nf', 'at most 5 paragraphs'],
    ['too much', 'x'.repeat(501), 'at most 500 characters'],
  ])('%s: refused, with what to do', (_, text, why) => {
    expect(wordingProblem('welcome', 'closing', text)).toContain(why);
  });

  it('a subject is one line of 100 characters', () => {
    expect(wordingProblem('welcome', 'subject', 'a\nb')).toBe('Use one line.');
    expect(wordingProblem('welcome', 'subject', 'x'.repeat(101))).toBe('Use at most 100 characters.');
    expect(wordingProblem('welcome', 'subject', 'x'.repeat(100))).toBeNull();
  });

  it('every variable that an email offers is accepted in it', () => {
    for (const kind of EMAIL_KIND_NAMES) {
      const all = variablesOf(kind).map((name) => `{${name}}`);
      expect([kind, wordingProblem(kind, 'opening', all.join(' '))]).toEqual([kind, null]);
    }
  });
});

test.each([
  ['Hello {first_name}', 'Hello Ada'],
  ['{first_name} {first_name}', 'Ada Ada'],
  // A value is never read as a variable.
  ['{tier}', '{first_name}'],
  ['{constructor}', null],
  ['{unknown}', null],
])('%s becomes %s', (text, filled) => {
  expect(fillVariables(text, { first_name: 'Ada', tier: '{first_name}' })).toBe(filled);
});

test('each non-empty line is a paragraph', () => {
  expect(paragraphsOf(' One \n\n  \nTwo')).toEqual(['One', 'Two']);
  expect(paragraphsOf('')).toEqual([]);
});
