import { expect, it } from 'vitest';
import { personName } from '../../src/contract/profile.ts';

const accepts = (name: string) => personName.safeParse(name).success;

it.each([
  'Ada',
  'J.R. Smith',
  'St. John',
  'Jr.',
  "O'Neill-Ångström",
  'María José',
  '李',
  'Dr. A. B. Clark',
  'می\u200Cخواهم',
  'ක්\u200Dෂ',
  '李。',
  'Ada 🍷',
  '-',
  'St.John',
  'ST.JOHN',
  'Ma.Theresa',
  'J.Paul',
  'J.R.R.Tolkien',
  'Anna (Dr.Eva)',
  'J.McDonald-Smith',
  'Bob/Carol',
  'Zoe\u0308/José',
  'Bob / Carol',
])('%s is a name', (name) => {
  expect(accepts(name)).toBe(true);
});

it.each([
  'https://evil.example',
  'Ada evil.example',
  'www.evil.example/win',
  'evil.Com',
  'Dr.Click',
  'X.COM',
  'St.John.Example',
  'a.St.John',
  'st.john',
  'Dr.Evil/win',
  'Dr.Evil:80',
  'Dr.Evil?x',
  'M.Ly/x',
  'evil.com/Carol',
  '//evil',
  'http://evil',
  'Ada 1/2',
  'Ada\nYou won: evil',
  'Ada\u2028evil',
  'ada@evil.example',
  '<b>Ada</b>',
  'evil。example',
  'evil．example',
  'evil｡example',
  'shop24.example',
  'evil.e\u200Dxample',
  'Ada\u202Eada',
  'Ada\u2066evil\u2069',
  'Ada\u200Fevil',
  '\u200B',
  '\u200B\u2060',
  'A\u200Bda',
  '\u200DAda',
  'Ada\u200D',
  '\u3164',
  '\u2800',
])('%j is not a name: an email would carry it to a stranger', (name) => {
  expect(accepts(name)).toBe(false);
});
