import { expect, test } from 'vitest';
import { passwordFlaw } from '../../../src/server/auth/password/guessable.ts';

const hints = {
  common: new Set(['password', 'password1', 'qwertyuiop', '12345678', 'sunshine']),
  own: ['Ada', 'Vine-Lovelace', 'ada.lovelace@post.example', '+43 1 2345678'],
  club: 'Chez Odette',
};

test.each([
  ['password1', 'common'],
  ['PassWord1', 'common'],
  ['12345678', 'common'],
  ['q'.repeat(128), 'common'],
  ['xzXZxzXZxz', 'common'],
  ['ｑｗｅｒｔｙｕｉｏｐ', 'common'],
  ['sunshine26!', 'common'],
  ['!!Sunshine', 'common'],
  ['adalovelace', 'personal'],
  ['Ada.Lovelace@post.example', 'personal'],
  ['lovelace1815', 'personal'],
  ['L0vel4ce!!', 'personal'],
  ['43 1 2345678', 'personal'],
  ['chez-odette-2026', 'personal'],
  ['Chéz Odétte', 'personal'],
  ['cellar-door-demo', 'personal'],
  ['winetasting', 'personal'],
  ['premier pinot noir', 'personal'],
])('%s is refused: %s', (password, flaw) => {
  expect(passwordFlaw(password, hints)).toBe(flaw);
});

test.each([
  'correct horse',
  'a better password',
  'sunshine 1969 and later',
  'adapted to the weather',
  'the wine was corked',
  '83749201746582',
  'пароль на вечер',
])('%s is fine', (password) => {
  expect(passwordFlaw(password, hints)).toBeNull();
});

test('a name too short to mean anything is not checked', () => {
  expect(passwordFlaw('tomorrow', { ...hints, own: ['To', 'Mo', 'Ro W'] })).toBeNull();
});
