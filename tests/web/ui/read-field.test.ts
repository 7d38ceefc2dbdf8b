import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { totpCode } from '../../../src/contract/forms/credentials.ts';
import { personName, phoneNumber } from '../../../src/contract/forms/person.ts';
import { pourFields } from '../../../src/contract/forms/pour-fields.ts';
import { requiredField, textField, trimmedField } from '../../../src/contract/forms/text-field.ts';
import { wineFields } from '../../../src/contract/forms/wine-fields.ts';
import { type Field, fieldLimits, readField } from '../../../src/web/ui/read-field.ts';

test.each<[string, Field, string, unknown]>([
  ['an optional text', z.optional(trimmedField(9)), '  ', undefined],
  ['an optional text with a pattern', z.optional(textField(9).check(z.regex(/^a/))), '', undefined],
  ['an optional number', wineFields.vintage, ' ', undefined],
  ['a text that can be null', z.nullable(phoneNumber), '', null],
])('%s is left out or null while it is empty', (_, field, typed, value) => {
  expect(readField(field, typed)).toEqual({ value });
  expect(fieldLimits(field)).toMatchObject({ required: false, optional: true });
});

test.each<[string, Field, string, unknown]>([
  ['a text without the spaces around it', requiredField(9, 'Required'), ' a1 ', 'a1'],
  ['a changed text', totpCode, '123 456', '123456'],
  ['an optional text', z.optional(trimmedField(9)), ' a ', 'a'],
  ['a number', pourFields.quantity, ' 2 ', 2],
  ['an optional number', wineFields.vintage, '2020', 2020],
  ['yes', z.boolean(), 'true', true],
  ['no', z.boolean(), 'false', false],
])('%s is sent as the schema reads it', (_, field, typed, value) => {
  expect(readField(field, typed)).toEqual({ value });
});

test.each<[string, Field, string, string]>([
  ['an empty text', personName, '', 'Required'],
  ['a text of spaces', personName, '   ', 'Required'],
  ['a long text', requiredField(9, 'Required'), ' '.repeat(10), 'String must contain at most 9 character(s)'],
  ['a text with two mistakes', totpCode, 'x'.repeat(41), 'String must contain at most 40 character(s)'],
  ['an empty number', pourFields.quantity, '', 'Required'],
  ['no number', pourFields.quantity, 'two', 'Expected number, received nan'],
  ['half a glass', wineFields.glasses_per_bottle, '2.5', 'Enter whole glasses'],
  ['a choice that was not made', wineFields.color, '', 'Choose a color'],
])('%s is refused with the first message of the schema', (_, field, typed, error) => {
  expect(readField(field, typed)).toEqual({ error });
});

describe('limits of an input', () => {
  test('a text that may not be empty is required, and has the maximum length of its schema', () => {
    expect(fieldLimits(personName)).toEqual({ required: true, optional: false, maxLength: 80 });
    expect(fieldLimits(pourFields.location)).toMatchObject({ required: true });
  });

  test('an optional text has its maximum length too', () => {
    expect(fieldLimits(pourFields.notes)).toMatchObject({ optional: true, maxLength: 500 });
  });

  test('a field without a schema has none', () => {
    expect(fieldLimits(undefined)).toEqual({});
  });
});
