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

/** The input schema of every call, by its name. */
export const INPUTS: [string, z.core.$ZodType][] = Object.entries(contract).flatMap(([noun, calls]) =>
  Object.entries(calls).flatMap(([verb, call]): [string, z.core.$ZodType][] => {
    const input = call['~orpc'].inputSchema;
    return input ? [[`${noun}.${verb}`, input as unknown as z.core.$ZodType]] : [];
  }),
);

/** Every text that a call takes. */
export const TEXT_FIELDS: TextField[] = INPUTS.flatMap(([name, input]) => textFieldsOf(input, `${name} `));

/** The checks of a text in the order in which they run; a format such as `z.email()` is itself the first. */
export function checksOf({ _zod: { def } }: z.core.$ZodString): z.core.$ZodChecks['_zod']['def'][] {
  const format = 'check' in def ? [def as unknown as z.core.$ZodChecks['_zod']['def']] : [];
  return [...format, ...(def.checks ?? []).map((it) => it._zod.def as z.core.$ZodChecks['_zod']['def'])];
}
