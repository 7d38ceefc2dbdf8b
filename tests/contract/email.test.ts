import { expect, it } from 'vitest';
import { z } from 'zod';
import { email } from '../../src/contract/forms/credentials.ts';
import { giftForm } from '../../src/contract/gifts/gifts.ts';

const read = (text: string) => email.safeParse(text).data;

it.each([
  'tom&jo@mail.test',
  "o'brien@mail.test",
  'first.last+wine@sub.mail.co.uk',
  'ana!x@mail.test',
  'ana/ruiz=x@mail.test',
  'info@xn--mller-wein-9db.test',
  'ana@example.xn--p1ai',
  'ANA@MAIL.TEST',
  'ann@mail.photography',
  '_@1-800.test',
])('%s is an email', (text) => {
  expect(read(text)).toBe(text);
  // The auth library checks with it.
  expect(z.email().safeParse(text).success).toBe(true);
});

it.each([
  'ana',
  'ana@mail',
  'ana@mail.test.',
  'ana.@mail.test',
  'a..b@mail.test',
  'ana ruiz@mail.test',
  'Ana <ana@mail.test>',
  'ana@-mail.test',
  'ana@mail-.test',
  'ana@mail..test',
  'ana@mail.t',
  'ana@mail.123',
  'ana@bo@mail.test',
  'ana@mail.test,bo@mail.test',
  'ana@mail.test\nBcc: bo@mail.test',
])('%j is not an email', (text) => {
  expect(read(text)).toBeUndefined();
});

it.each(['\u200B', '\u00A0', '\uFEFF', '\u00AD', '\u200E', '\u2060', '\u202F', ' '])(
  'a pasted email loses the invisible %j around and within it',
  (mark) => {
    expect(read(`${mark}ana@mail.test${mark}`)).toBe('ana@mail.test');
    if (mark !== ' ') expect(read(`an${mark}a@${mark}mail.test`)).toBe('ana@mail.test');
    expect(giftForm.shape.recipient_email.safeParse(`ana@mail.test${mark}`).data).toBe('ana@mail.test');
  },
);

it.each([
  ['ana@müller.example', 'ana@xn--mller-kva.example'],
  ['Ana@MÜLLER.example', 'Ana@xn--mller-kva.example'],
  ['ana@mu\u0308ller.example', 'ana@xn--mller-kva.example'],
  ['ana@straße.example', 'ana@xn--strae-oqa.example'],
  ['张三@例子。中国', undefined],
  ['zhang@例子。中国', 'zhang@xn--fsqu00a.xn--fiqs8s'],
  ['ana＠mail.test', 'ana@mail.test'],
  ['ａｎａ＠ｍａｉｌ．ｔｅｓｔ', 'ana@mail.test'],
  ['ana@mail。test', 'ana@mail.test'],
  ['möan@mail.test', undefined],
  ['ana@mäil.test/x', undefined],
  ['ana@mäil.test:80', undefined],
  ['ana@bo@mäil.test', undefined],
  [`ana@${'ü.'.repeat(120)}example`, undefined],
])('%s is read as %s, as mail servers know it', (text, address) => {
  expect(read(text)).toBe(address);
  expect(giftForm.shape.recipient_email.safeParse(text).data).toBe(address);
});
