import { describe, expect, it } from 'vitest';
import { accessName } from '../../../src/contract/forms/credentials.ts';
import { personName } from '../../../src/contract/forms/person.ts';
import { giftForm } from '../../../src/contract/gifts/gifts.ts';
import { wordingProblem } from '../../../src/domain/club/emails.ts';
import { holdsLink } from '../../../src/domain/club/link.ts';

/** What at least one common mail program turns into a link, with a name in front as people would write it. */
const LINKS = [
  'https://evil.example',
  'HTTPS://evil.example',
  'ftp://evil',
  'www.evil',
  'WWW.Evil',
  'evil.com',
  'evil.com.',
  '(evil.com)',
  '"evil.com"',
  'evil.com?@',
  'evil.com,',
  'evil.com…',
  'evil.com#x',
  'evil.com:8080',
  '@evil.com',
  'you@evil.com',
  'you@evil',
  'evil.Com',
  'Evil.Com',
  'EVIL.COM',
  'eViL.cOm',
  'evil.Shop',
  'evil.рф',
  'ЕВИЛ.РФ',
  'evil.Рф',
  'evil.भारत',
  'evil.中国',
  'evil.ไทย',
  'evil.இந்தியா',
  'evil.한국',
  'موقع.شبكة',
  'evil.xn--p1ai',
  'xn--e1aybc.xn--p1ai',
  'evil-.com',
  'evil_.com',
  '🍷.ws',
  'i❤.ws',
  'bücher.de',
  'ｅｖｉｌ．ｃｏｍ',
  'evil．com',
  'evil。com',
  'evil｡com',
  'evil․com',
  'evil﹒com',
  'evil.ⓒⓞⓜ',
  'evil.cⓞm',
  'evil.🄲🄾🄼',
  'evil.㏄',
  'evil.℡',
  'evil.ⅽⅽ',
  'evil.ⅵ',
  'evil.ﬁ',
  'evil.ǳ',
  'evil.c\u00ADom',
  'evil\u200B.com',
  'evil\uFEFF.com',
  'evil.\u2060com',
  'evil.c\u0301om',
  'a.b.c.evil.museum/win',
  '例え。テスト/a',
  '127.0.0.1',
  '10.1.2.3/win',
  'mailto:you',
  'Tel:0664123',
  'javascript:alert(1)',
  '\\\\evil\\share',
  'you＠evil',
];

const PLAIN = [
  'Enjoy!',
  'See you @ the bar',
  'Happy birthday, dear J. R. – see you at 5 p.m. on 1.12.2026, or at 19.30!',
  'Wait... what? Ok.. fine',
  'Cheers , A. & B.',
  'e.g. a Riesling, i.e. something dry',
  '3 x 0.75 l for 19.90',
  'We ❤ wine. 🍷. You too? <3 :)',
  '生日快乐。祝你开心。',
  'お誕生日おめでとう。またね。',
  'Riesling。祝你开心',
  'ए.पी.जे. अब्दुल कलाम',
  'and/or, 50/50, his:hers, hotel: yes',
  'No. 1 of v2.0',
  'Happy birthday.🎉🎉 Enjoy.❤❤',
  'Room No.1, 5 p.m.☺',
  '',
];

describe('a text', () => {
  it.each(LINKS)('with %j holds a link, alone, within a sentence and after a line break', (link) => {
    expect([link, `Hello ${link}`, `See ${link} now`, `Hi\n${link}`].map(holdsLink)).toEqual(
      Array(4).fill(true),
    );
  });

  it.each(PLAIN)('like %j holds none', (text) => {
    expect(holdsLink(text)).toBe(false);
  });
});

it('a name with a phone number is refused, of people, passkeys and API clients', () => {
  const isTaken = (name: string) => [personName, accessName].map((it) => it.safeParse(name).success);
  expect(isTaken('Call +1 900 555 0100')).toEqual([false, false]);
  expect(isTaken('Laptop 2 of 2026')).toEqual([true, true]);
});

describe('a link', () => {
  const FORM = { tier: 'select', months: 3, from_name: 'Ann', to_name: 'Ben', delivery: 'card' };
  const fields: [string, (text: string) => boolean][] = [
    ['the message of a gift', (message) => giftForm.safeParse({ ...FORM, message }).success],
    ['the names on a gift', (from_name) => giftForm.safeParse({ ...FORM, from_name }).success],
    ['the name of a person', (name) => personName.safeParse(name).success],
    ['the name of a passkey or API client', (name) => accessName.safeParse(name).success],
    [
      'the wording of an email, but for its addresses',
      (text) => text.includes('you@evil.com') || wordingProblem('welcome', 'opening', `See ${text}`) === null,
    ],
  ];
  it.each(fields)('is refused in %s', (_, accepts) => {
    // These need no dot; staff may write an address of email.
    const links = LINKS.filter((it) => it !== 'you@evil.com');
    expect(links.filter(accepts)).toEqual([]);
    expect(accepts('Riesling')).toBe(true);
  });
});
