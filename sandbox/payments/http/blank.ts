import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Served } from '../schema/served.ts';
import type { Wire } from './wire.ts';

/** The part of JSON Schema that says which fields an object must have, and which of them can be empty. */
interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  type?: string | string[];
  const?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}
interface Description {
  objects: Record<string, Schema>;
  $defs: Record<string, Schema>;
}

type Objects = { [Kind in keyof Served]: Exclude<Wire<Served[Kind]>, { deleted: true }> };
type Required<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? never : K }[keyof T];
type Blank<T> = {
  [K in Required<T> as K extends 'object' | 'livemode' ? K : IsBlank<T[K]> extends true ? K : never]: T[K];
};
type IsBlank<V> = null extends V
  ? true
  : V extends unknown[]
    ? true
    : V extends object
      ? [Exclude<Required<V>, keyof Blank<V>>] extends [never]
        ? true
        : false
      : false;

let cache: Description | undefined;
const blanks = new Map<string, object>();

/** The objects as the SDK declares them; `schema/generate.ts` generates the file. */
function description(): Description {
  const file = new URL('../schema/stripe.schema.json.gz', import.meta.url);
  cache ??= JSON.parse(gunzipSync(readFileSync(file)).toString()) as Description;
  return cache;
}

/** The fields of one of Stripe's objects that can be empty. Each builder adds the others, as the compiler checks. */
export function blank<Kind extends keyof Objects>(kind: Kind): Blank<Objects[Kind]> {
  const fields = blanks.get(kind) ?? fieldsOf(resolved(description().objects[kind] ?? {}));
  blanks.set(kind, fields);
  return structuredClone(fields) as Blank<Objects[Kind]>;
}

/** The schema behind a reference; for a kind that also has a schema of its deleted form, the other one. */
function resolved(schema: Schema): Schema {
  const targets = (schema.anyOf ?? [schema]).map(
    (it) => description().$defs[it.$ref?.replace('#/$defs/', '') ?? ''] ?? it,
  );
  return targets.find(({ properties }) => !properties?.deleted) ?? {};
}

function fieldsOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of required) {
    const value = name === 'livemode' ? false : emptyOf(properties[name] ?? {});
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

/** Undefined if the field needs a value. */
function emptyOf(schema: Schema): unknown {
  const kinds = [schema, ...(schema.anyOf ?? [])].flatMap(({ type }) => type ?? []);
  if (kinds.includes('null')) return null;
  if (kinds.includes('array')) return [];
  if (schema.const !== undefined) return schema.const;
  if (!schema.$ref) return undefined;
  const target = resolved(schema);
  const fields = fieldsOf(target);
  return target.required?.every((name) => name in fields) ? fields : undefined;
}
