import { expect, it } from 'vitest';
import { z } from 'zod';
import { text } from '../../../src/contract/text.ts';
import { bodyLimitOf } from '../../../src/server/api/body-limits.ts';

const KB = 1024;
const escaped = (text: string) => `"${[...text].map((it) => escape(it).replaceAll('%u', '\\u')).join('')}"`;

it.each<[string, z.ZodType | undefined, number]>([
  ['no input', undefined, 4 * KB],
  ['an id', z.strictObject({ id: text(36) }), 4 * KB],
  ['a text of 1,000 characters', z.strictObject({ notes: text(1000).optional() }), 12_013],
  [
    'the longer of two inputs',
    z.union([z.strictObject({ a: text(10) }), z.strictObject({ b: text(1000) })]),
    12_009,
  ],
  ['100 texts', z.strictObject({ names: z.array(text(10)).max(100) }), 12_313],
  ['a value for each of two names', z.partialRecord(z.enum(['a', 'b']), text(500)), 12_016],
  ['a picture', z.strictObject({ content: text(60_000) }), 64 * KB],
  ['a list without a limit', z.strictObject({ ids: z.array(z.boolean()) }), 64 * KB],
  ['any names', z.record(text(10), z.boolean()), 64 * KB],
])('a call that takes %s reads at most so many bytes', (_, input, bytes) => {
  expect(bodyLimitOf(input)).toBe(bytes);
});

it('a text of the largest length fits, with each emoji as two escapes', () => {
  const body = `{"notes":${escaped('🍷'.repeat(1000))}}`;
  expect([...JSON.parse(body).notes]).toHaveLength(1000);
  expect(body.length).toBeLessThanOrEqual(bodyLimitOf(z.strictObject({ notes: text(1000) })));
});
