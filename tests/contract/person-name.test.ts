import { expect, it } from 'vitest';
import { personName } from '../../src/contract/profile.ts';

const accepts = (name: string) => personName.safeParse(name).success;

it.each(['Ada', 'J.R. Smith', 'St. John', 'Jr.', "O'Neill-Ångström", 'María José', '李', 'Dr. A. B. Clark'])(
  '%s is a name',
  (name) => {
    expect(accepts(name)).toBe(true);
  },
);

it.each([
  'https://evil.example',
  'Ada evil.example',
  'www.evil.example/win',
  'Ada\nYou won: evil',
  'Ada\u2028evil',
  'ada@evil.example',
  '<b>Ada</b>',
])('%j is not a name: an email would carry it to a stranger', (name) => {
  expect(accepts(name)).toBe(false);
});
