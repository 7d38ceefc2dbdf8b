import type { OpenAPI } from '@orpc/openapi';

type Schema = OpenAPI.SchemaObject | OpenAPI.ReferenceObject | boolean;

/** JSON Schema's formats, in this page's words. */
const FORMATS: Record<string, string> = {
  'date-time': 'time',
  uuid: 'uuid',
  date: 'day',
  email: 'email',
  uri: 'URL',
};

/** Formats whose texts have a length of their own. */
const OF_FIXED_LENGTH = ['date-time', 'uuid', 'date'];

/** A JSON schema as short text, `{ name: text, at most 60; status?: "open" | "done", default "open" }`, one field a line. */
export function schemaText(schema: Schema | undefined, indent = ''): string {
  const type = typeText(schema, indent);
  const preset = (schema as { default?: unknown } | undefined)?.default;
  return preset === undefined ? type : `${type}, default ${JSON.stringify(preset)}`;
}

function typeText(schema: Schema | undefined, indent: string): string {
  if (schema === undefined || typeof schema === 'boolean') return 'any JSON';
  if ('$ref' in schema && schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  const object = schema as OpenAPI.SchemaObject;
  const options = object.anyOf ?? object.oneOf;
  if (options) return [...new Set(options.map((it) => schemaText(it as Schema, indent)))].join(' | ');
  // Parts that only add a pattern have no type.
  if (object.allOf && !object.type)
    return object.allOf.map((it) => schemaText(it as Schema, indent)).join(' & ');
  if (object.const !== undefined) return JSON.stringify(object.const);
  if (object.enum) return object.enum.map((it) => JSON.stringify(it)).join(' | ');
  if (object.type === 'array') return listText(object, indent);
  if (object.type === 'object') return objectText(object, indent);
  return scalarText(object);
}

function listText(schema: OpenAPI.SchemaObject, indent: string): string {
  const { items, maxItems } = schema as { items?: Schema; maxItems?: number };
  const itemText = schemaText(items, indent);
  const list = `[${itemText}]`;
  return maxItems === undefined ? list : `${list}, at most ${maxItems}`;
}

function objectText({ properties, required, additionalProperties }: OpenAPI.SchemaObject, indent: string) {
  const fields = Object.entries(properties ?? {});
  if (fields.length === 0) {
    return typeof additionalProperties === 'object'
      ? `{ [name]: ${schemaText(additionalProperties as Schema, indent)} }`
      : '{}';
  }
  const inner = `${indent}  `;
  const lines = fields.map(([name, field]) => {
    const mark = required?.includes(name) ? '' : '?';
    const { description } = field as OpenAPI.SchemaObject;
    const note = description ? `  # ${description}` : '';
    return `${inner}${name}${mark}: ${schemaText(field as Schema, inner)}${note}`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function scalarText(schema: OpenAPI.SchemaObject): string {
  const { type, format, minLength, maxLength, minimum, maximum } = schema;
  const name = type === 'string' ? (FORMATS[format ?? ''] ?? 'text') : String(type ?? 'any JSON');
  if (format && OF_FIXED_LENGTH.includes(format)) return name;
  if (type === 'string') return name + lengthText(minLength, maxLength);
  const from = bound(minimum);
  const to = bound(maximum);
  if (from !== null && to !== null) return `${name}, ${from} to ${to}`;
  if (from !== null) return `${name}, ${from} or more`;
  return to === null ? name : `${name}, at most ${to}`;
}

function lengthText(min: number | undefined, max: number | undefined): string {
  if (max !== undefined && max === min) return `, ${max} characters`;
  return max === undefined ? '' : `, at most ${max} characters`;
}

/** A limit from a schema; JavaScript's own limits, which every integer has, are left out. */
const bound = (limit: number | undefined) =>
  limit === undefined || Math.abs(limit) === Number.MAX_SAFE_INTEGER ? null : limit;
