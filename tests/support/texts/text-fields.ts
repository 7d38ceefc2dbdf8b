import type { z } from 'zod';
import { contract } from '../../../src/contract/index.ts';

export interface TextField {
  /** The call and the path within its input, such as `gifts.buy .message`. */
  name: string;
  schema: z.core.$ZodString;
}

type Def = z.core.$ZodTypes['_zod']['def'];

/** The text schemas within a schema. Throws for a type that could hide a text, such as `z.any()` or a transform. */
export function textFieldsOf(schema: z.core.$ZodType, name: string): TextField[] {
  const def = schema._zod.def as Def;
  switch (def.type) {
    case 'string':
      return [{ name, schema: schema as z.core.$ZodString }];
    case 'object':
      return Object.entries(def.shape).flatMap(([key, field]) => textFieldsOf(field, `${name}.${key}`));
    case 'array':
      return textFieldsOf(def.element, `${name}[]`);
    case 'record':
      return [...textFieldsOf(def.keyType, `${name}{key}`), ...textFieldsOf(def.valueType, `${name}{}`)];
    case 'union':
      return def.options.flatMap((option, index) => textFieldsOf(option, `${name}|${index}`));
    case 'optional':
    case 'nullable':
    case 'default':
      return textFieldsOf(def.innerType, name);
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
    case 'number':
      return [];
    default:
      throw new Error(
        `${name} is of the type ${def.type}, in which the length of a text is not checked first`,
      );
  }
}

interface Input {
  /** Such as `gifts.buy`. */
  name: string;
  method: string;
  /** With {parameters}, below /api. */
  path: string;
  input: z.core.$ZodType;
}

/** Every call that takes input. */
export const INPUTS: Input[] = Object.entries(contract).flatMap(([noun, calls]) =>
  Object.entries(calls).flatMap(([verb, call]): Input[] => {
    const { inputSchema, route } = call['~orpc'];
    if (!inputSchema) return [];
    const { method = '', path = '' } = route;
    return [{ name: `${noun}.${verb}`, method, path, input: inputSchema as unknown as z.core.$ZodType }];
  }),
);

/** Every text that a call takes. */
export const TEXT_FIELDS: TextField[] = INPUTS.flatMap(({ name, input }) => textFieldsOf(input, `${name} `));

/** The checks of a text in the order in which they run; a format such as `z.email()` is itself the first. */
export function checksOf({ _zod: { def } }: z.core.$ZodString): z.core.$ZodChecks['_zod']['def'][] {
  const format = 'check' in def ? [def as unknown as z.core.$ZodChecks['_zod']['def']] : [];
  return [...format, ...(def.checks ?? []).map((it) => it._zod.def as z.core.$ZodChecks['_zod']['def'])];
}

/** An input with this value in each field of its objects. */
export function filled(schema: z.core.$ZodType, value: unknown): unknown {
  const def = schema._zod.def as Def;
  if (def.type === 'object') {
    return Object.fromEntries(Object.entries(def.shape).map(([key, field]) => [key, filled(field, value)]));
  }
  if (def.type === 'optional' || def.type === 'nullable' || def.type === 'default')
    return filled(def.innerType, value);
  return def.type === 'union' && def.options[0] ? filled(def.options[0], value) : value;
}
