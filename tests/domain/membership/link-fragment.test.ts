import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkFragment, linkSecret, readLinkFragment } from '../../../src/domain/membership/link-fragment.ts';

const secret = fc.stringMatching(/^[\w-]{1,43}$/);
const email = fc.stringMatching(/^[a-z.+&=%]{1,20}@[a-z]{1,10}\.[a-z]{2,4}$/);

test('a fragment is read back as it was written, with the email or without', () => {
  fc.assert(
    fc.property(secret, fc.option(email), (secret, email) => {
      expect(readLinkFragment(linkFragment(secret, email))).toEqual({ secret, email });
      expect(readLinkFragment(`#${linkFragment(secret, email)}`)).toEqual({ secret, email });
    }),
  );
});

test('whatever an address bar holds is read without an error, and what is no email is none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (hash) => {
      const { secret, email } = readLinkFragment(hash);
      expect(secret.length).toBeLessThanOrEqual(60);
      if (email !== null) expect(email).toMatch(/^\S+@\S+$/);
    }),
  );
  expect(readLinkFragment('#ABCD&email=no')).toEqual({ secret: 'ABCD', email: null });
  expect(readLinkFragment('#%E0%A4%A')).toEqual({ secret: '%E0%A4%A', email: null });
  expect(readLinkFragment('')).toEqual({ secret: '', email: null });
});

test.each(['\u200B', '%E2%80%8B', '\u200E.', '.', ',', '>', ').', '%20', '\u00A0'])(
  'a link opens with %j behind it, as chats and terminals add it',
  (mark) => {
    expect(readLinkFragment(`#A-B_C${mark}`)).toEqual({ secret: 'A-B_C', email: null });
    expect(linkSecret(`aa.bb.c_${mark}`)).toBe('aa.bb.c_');
  },
);
