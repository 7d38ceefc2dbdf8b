import { type core, safeParse } from 'zod/mini';

export type Field = core.$ZodType;
export type FieldReading = { value: unknown } | { error: string };

const defOf = (field: Field) => field._zod.def as core.$ZodTypes['_zod']['def'];

/** Without what allows it to be empty. */
function filledField(field: Field): Field {
  const def = defOf(field);
  return 'innerType' in def ? filledField(def.innerType) : field;
}

/** What an empty field is sent as: null, or left out; false if it may not be empty. */
const whenEmpty = (field: Field): { value: null | undefined } | false =>
  ([null, undefined] as const)
    .map((value) => ({ value }))
    .find(({ value }) => safeParse(field, value).success) ?? false;

export const mayBeEmpty = (field: Field): boolean => whenEmpty(field) !== false;

function entryOf(type: string, typed: string): unknown {
  if (type === 'boolean') return typed === 'true';
  if (type !== 'number') return typed;
  return typed.trim() === '' ? undefined : Number(typed);
}

/** The value of a typed text, or what is wrong with it: what the server says too, which has the same schema. */
export function readField(field: Field, typed: string): FieldReading {
  const empty = typed.trim() === '' && whenEmpty(field);
  if (empty) return empty;
  const { data, error } = safeParse(field, entryOf(defOf(filledField(field)).type, typed));
  return error ? { error: error.issues[0]?.message ?? '' } : { value: data };
}

/** The attributes of an input; none without a schema. */
export function fieldLimits(field: Field | undefined) {
  if (!field) return {};
  const required = 'error' in readField(field, '');
  const checks = (defOf(filledField(field)).checks ?? []).map(
    ({ _zod }) => _zod.def as core.$ZodChecks['_zod']['def'],
  );
  return {
    required,
    optional: !required,
    maxLength: checks.find((it) => it.check === 'max_length')?.maximum,
  };
}
