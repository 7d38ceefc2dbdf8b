import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { giftForm } from '../../src/contract/gifts/gifts.ts';
import { text } from '../../src/contract/text.ts';
import { leastMs, longTexts } from '../support/texts/long-texts.ts';
import { checksOf, filled, INPUTS, TEXT_FIELDS, textFieldsOf } from '../support/texts/text-fields.ts';

/** Milliseconds of the processor; a slow pattern takes seconds on one text of 60 KB, a refused length a hundredth of one. */
const LIMIT = 100;

const isBounded = (schema: z.core.$ZodString): boolean => {
  const [first] = checksOf(schema);
  return first?.check === 'max_length' && first.abort === true;
};

const inWords = (schema: z.core.$ZodString): string =>
  JSON.stringify(checksOf(schema), (_, value) => (value instanceof RegExp ? String(value) : value));

describe('a text of a call', () => {
  it('has its length checked before anything else runs', () => {
    expect(TEXT_FIELDS.length).toBeGreaterThan(250);
    expect(TEXT_FIELDS.filter(({ schema }) => !isBounded(schema)).map(({ name }) => name)).toEqual([]);
  });

  it.each<[string, z.core.$ZodString]>([
    ['no length', z.string()],
    ['a length that does not abort', z.string().max(10)],
    ['a pattern before the length', z.string().regex(/a/).max(10, { abort: true })],
    ['a format before the length', z.email().max(10, { abort: true })],
  ])('would not pass with %s', (_, schema) => {
    expect(isBounded(schema)).toBe(false);
  });

  it.each<[string, z.core.$ZodType]>([
    ['a transform', z.object({ name: text(10).transform((it) => it) })],
    ['a preprocessed text', z.preprocess((it) => it, text(10))],
    ['anything', z.array(z.any())],
  ])('cannot be hidden in %s', (_, schema) => {
    expect(() => textFieldsOf(schema, 'input')).toThrow('the length of a text is not checked first');
  });

  it('is refused for its length alone', () => {
    const { error } = giftForm.shape.message.safeParse(`${'a'.repeat(60_000)}.com`);
    expect(error?.issues.map(({ code }) => code)).toEqual(['too_big']);
  });

  it(`takes a few milliseconds to check, whatever its 60 KB are`, () => {
    const texts = longTexts(60_000);
    // Fields with the same checks take the same time.
    const different = new Map(TEXT_FIELDS.map((it) => [inWords(it.schema), it]));
    expect(different.size).toBeGreaterThan(50);
    const slow = [...different.values()].flatMap(({ name, schema }) => {
      const ms = leastMs(() => {
        for (const it of texts) z.core.safeParse(schema, it);
      }, LIMIT);
      return ms < LIMIT ? [] : [`${name}: ${ms.toFixed(0)} ms for ${texts.length} texts`];
    });
    expect(slow).toEqual([]);
  });
});

it('an input whose fields are all too long, too many or unknown takes a few milliseconds to refuse', () => {
  const long = '@'.repeat(60_000);
  const many = Array.from({ length: 30_000 }, () => 0);
  const unknown = Object.fromEntries(Array.from({ length: 8000 }, (_, index) => [`k${index}`, 0]));
  const slow = INPUTS.flatMap(({ name, input }) =>
    [filled(input, long), filled(input, many), filled(input, unknown), unknown].flatMap((it) => {
      const ms = leastMs(() => z.core.safeParse(input, it), LIMIT);
      return ms < LIMIT ? [] : [`${name}: ${ms.toFixed(0)} ms`];
    }),
  );
  expect(slow).toEqual([]);
});
