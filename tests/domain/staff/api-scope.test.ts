import { expect, test } from 'vitest';
import { narrowedScopes } from '../../../src/domain/staff/api-scope.ts';

const HAS = ['tiers:read', 'pours:write'] as const;

test.each([
  [null, HAS],
  ['', HAS],
  [' ', HAS],
  ['pours:write', ['pours:write']],
  ['pours:write tiers:read pours:write', ['pours:write', 'tiers:read']],
  ['members:read', null],
  ['tiers:read members:read', null],
  ['tiers', null],
  ['TIERS:READ', null],
])('for a client with two scopes, requesting %j gives %j', (asked, expected) => {
  expect(narrowedScopes(asked, HAS)).toEqual(expected);
});
