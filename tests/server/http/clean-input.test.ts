import { describe, expect, it, test } from 'vitest';
import { cleanInput } from '../../../src/server/http/clean-input.ts';

const cleaned = (input: unknown) => {
  cleanInput(input);
  return input;
};

describe('text that cannot be stored', () => {
  test.each([
    ['in a field', { notes: 'a\ud83c' }, { notes: 'a\ufffd' }],
    ['in a list within a list', { rows: [['\udf77 b', 'ok']] }, { rows: [['\ufffd b', 'ok']] }],
    ['in a query', Object.assign(Object.create(null), { q: '\ud83c' }), { q: '\ufffd' }],
    [
      'under a key that pollutes',
      JSON.parse('{"__proto__":"\\ud83c"}'),
      JSON.parse('{"__proto__":"\ufffd"}'),
    ],
    ['nowhere', { wine: '🍷', n: 1, none: null }, { wine: '🍷', n: 1, none: null }],
  ])('half an emoji %s becomes U+FFFD', (_, input, expected) => {
    expect(JSON.stringify(cleaned(input))).toBe(JSON.stringify(expected));
  });

  it('a NUL is refused with the place where it stands', () => {
    const refused = { code: 'BAD_REQUEST', data: { issues: [{ path: ['rows', 0, 1] }] } };
    const refusal = () => {
      try {
        cleanInput({ rows: [['a', 'b\0']] });
      } catch (error) {
        return error;
      }
    };
    expect(refusal()).toMatchObject(refused);
  });

  it('input of any depth is looked through', () => {
    const deep = JSON.parse(`${'['.repeat(30_000)}"\\u0000"${']'.repeat(30_000)}`);
    const before = performance.now();
    expect(() => cleanInput(deep)).toThrow('NUL');
    expect(performance.now() - before, 'milliseconds').toBeLessThan(5000);
    expect(() => cleanInput(undefined)).not.toThrow();
  });
});
