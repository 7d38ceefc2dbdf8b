import type { AnySchema } from '@orpc/contract';
import { z } from 'zod';

/** Bytes: room for a call's names and numbers, however its JSON is laid out. */
const SMALLEST = 4 * 1024;
/** Bytes: a picture in base64, a batch of an import's rows, the texts of the club's pages. */
export const MAX_BODY_BYTES = 64 * 1024;

/** Some clients write a character as two escapes, \uD83C\uDF77. */
const BYTES_OF_CHARACTER = 12;
const BYTES_OF_NUMBER = 24;

type Schema = z.core.JSONSchema.JSONSchema;

const sum = (values: number[]) => values.reduce((total, it) => total + it, 0);

/** The bytes that a value can need as JSON; Infinity where its schema sets no limit. */
function bytesOf(schema: Schema | boolean | undefined): number {
  if (typeof schema !== 'object') return Number.POSITIVE_INFINITY;
  const { anyOf, enum: values, items, maxItems, maxLength } = schema;
  if (anyOf) return Math.max(...anyOf.map(bytesOf));
  if (values || 'const' in schema) {
    return Math.max(...(values ?? [schema.const]).map((it) => JSON.stringify(it).length));
  }
  switch (schema.type) {
    case 'string':
      return 2 + BYTES_OF_CHARACTER * (maxLength ?? Number.POSITIVE_INFINITY);
    case 'array':
      return 2 + (maxItems ?? Number.POSITIVE_INFINITY) * (1 + bytesOf(items as Schema));
    case 'object':
      return bytesOfObject(schema);
    case 'null':
    case 'boolean':
    case 'integer':
    case 'number':
      return BYTES_OF_NUMBER;
    default:
      return Number.POSITIVE_INFINITY;
  }
}

function bytesOfObject({ properties = {}, propertyNames, additionalProperties }: Schema): number {
  const fields = sum(Object.entries(properties).map(([name, field]) => name.length + 4 + bytesOf(field)));
  if (!additionalProperties || Object.keys(properties).length > 0) return 2 + fields;
  const names = typeof propertyNames === 'object' ? propertyNames.enum : undefined;
  if (!names) return Number.POSITIVE_INFINITY;
  return 2 + sum(names.map((name) => String(name).length + 4 + bytesOf(additionalProperties)));
}

const limits = new WeakMap<AnySchema, number>();

/** The largest body that a call with this input reads, in bytes: what the input can need, from 4 to 64 KB. */
export function bodyLimitOf(input: AnySchema | undefined): number {
  if (!input) return SMALLEST;
  const before = limits.get(input);
  if (before !== undefined) return before;
  const schema = z.toJSONSchema(input as unknown as z.core.$ZodType, { io: 'input', unrepresentable: 'any' });
  const limit = Math.min(MAX_BODY_BYTES, Math.max(SMALLEST, bytesOf(schema)));
  limits.set(input, limit);
  return limit;
}
