import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { invalid } from './errors.ts';
import type { Raw, RawObject } from './form.ts';

/** The part of JSON Schema that the generated file uses. */
interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  type?: string | string[];
  enum?: string[];
  const?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
}
interface Requests {
  routes: Record<string, Schema>;
  $defs: Record<string, Schema>;
}

let cache: Requests | undefined;

/** Stripe's parameters by route (`routeKey`); `schema/generate.ts` generates them from the SDK. */
function requests(): Requests {
  const file = new URL('../schema/stripe.requests.json.gz', import.meta.url);
  cache ??= JSON.parse(gunzipSync(readFileSync(file)).toString()) as Requests;
  return cache;
}

/** Throws 400 in Stripe's words for parameters that this route does not have, and for values outside an enum. */
export function refuseUnknown(key: string, raw: RawObject): void {
  const names: string[] = [];
  const route = requests().routes[key];
  if (!route) throw new Error(`No generated parameters for ${key}: run sandbox/payments/schema/generate.ts`);
  check([route], raw, '', names);
  const [first] = names;
  if (first === undefined) return;
  const noun = names.length > 1 ? 'parameters' : 'parameter';
  throw invalid(`Received unknown ${noun}: ${names.join(', ')}`, first, 'parameter_unknown');
}

/** Whether Stripe has this parameter on a route. `path` lists its fields: `['items', 'price']` for an entry of a list. */
export function isKnown(key: string, path: string[]): boolean {
  let schemas: Schema[] = [requests().routes[key] ?? {}];
  for (const name of path) {
    const objects = alternatives(schemas).flatMap(({ items, ...schema }) => alternatives([items ?? schema]));
    schemas = objects.flatMap((schema) => memberOf(schema, name) ?? []);
  }
  return schemas.length > 0;
}

function check(schemas: Schema[], raw: Raw, path: string, names: string[]): void {
  const options = alternatives(schemas);
  if (typeof raw === 'string') {
    checkWord(options, raw, path);
    return;
  }
  const lists = options.flatMap((schema) => schema.items ?? []);
  const isList = lists.length > 0 && Object.keys(raw).every((name) => /^\d+$/.test(name));
  for (const [name, value] of Object.entries(raw)) {
    const fullPath = path === '' ? name : `${path}[${name}]`;
    const members = isList ? lists : options.flatMap((schema) => memberOf(schema, name) ?? []);
    if (members.length > 0) check(members, value, fullPath, names);
    else if (options.some((schema) => schema.properties)) names.push(fullPath);
  }
}

function checkWord(options: Schema[], raw: string, path: string): void {
  const types = options.flatMap(({ type }) => type ?? []);
  if (types.includes('string')) return;
  const words = options.flatMap((schema) => schema.enum ?? ('const' in schema ? [String(schema.const)] : []));
  if (words.includes(raw) || (types.includes('number') && NUMBER.test(raw))) return;
  const choices = words.filter((word) => word !== '');
  if (choices.length > 0) throw invalid(`Invalid ${path}: must be one of ${either(choices)}`, path);
  if (options.some((schema) => schema.items)) throw invalid('Invalid array', path);
  if (options.some((schema) => schema.properties)) throw invalid('Invalid object', path);
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** "a, b, or c", as Stripe lists words. */
function either(words: readonly string[]): string {
  if (words.length < 3) return words.join(' or ');
  return `${words.slice(0, -1).join(', ')}, or ${words.at(-1)}`;
}

function alternatives(schemas: Schema[]): Schema[] {
  return schemas.flatMap((schema) => {
    if (schema.anyOf) return alternatives(schema.anyOf);
    const target = schema.$ref && requests().$defs[schema.$ref.replace('#/$defs/', '')];
    return target ? alternatives([target]) : [schema];
  });
}

/** The schema of a field by this name; undefined if the object has none. */
function memberOf({ properties, additionalProperties: rest }: Schema, name: string): Schema | undefined {
  if (properties && Object.hasOwn(properties, name)) return properties[name];
  return typeof rest === 'object' ? rest : undefined;
}
