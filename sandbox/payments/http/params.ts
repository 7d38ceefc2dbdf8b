import { invalid } from './errors.ts';
import type { Raw, RawObject } from './form.ts';

/** Reads one parameter as sent and returns the value for the handler. Throws a StripeFault. */
export interface Field<T> {
  /** The fields of an object, or of each entry of a list of objects. */
  shape?: Shape;
  read(raw: Raw, path: string): T;
}
interface NeededField<T> extends Field<T> {
  needed: true;
}
export type Shape = Record<string, Field<unknown>>;
type NeededKeys<S> = { [K in keyof S]: S[K] extends NeededField<unknown> ? K : never }[keyof S];
export type ValueOf<F> = F extends Field<infer T> ? T : never;
export type Params<S extends Shape> = { [K in NeededKeys<S>]: ValueOf<S[K]> } & {
  [K in Exclude<keyof S, NeededKeys<S>>]?: ValueOf<S[K]>;
};

function field<T>(reader: (raw: string, path: string) => T): Field<T> {
  return {
    read(raw, path) {
      if (typeof raw !== 'string') throw invalid(`Invalid string: ${JSON.stringify(raw)}`, path);
      return reader(raw, path);
    },
  };
}

export const text = field((raw, path) => {
  if (raw === '')
    throw invalid(
      `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; ` +
        `however '${path}' cannot be unset. You should remove '${path}' from your request or supply a non-empty value.`,
      path,
      'parameter_invalid_empty',
    );
  if (raw.length > 5000) throw invalid(`Invalid string: must be at most 5000 characters`, path);
  return raw;
});

export const integer = field((raw, path) => {
  if (!/^-?\d{1,15}$/.test(raw)) throw invalid(`Invalid integer: ${raw}`, path, 'parameter_invalid_integer');
  return Number(raw);
});

export const decimal = field((raw, path) => {
  if (!/^-?\d{1,15}(\.\d{1,12})?$/.test(raw)) throw invalid(`Invalid decimal: ${raw}`, path);
  return Number(raw);
});

export const flag = field((raw, path) => {
  if (raw !== 'true' && raw !== 'false') throw invalid(`Invalid boolean: ${raw}`, path);
  return raw === 'true';
});

export const url = field((raw, path) => {
  if (!/^https?:\/\/[^\s/]+/.test(raw)) throw invalid('Not a valid URL', path, 'url_invalid');
  return raw;
});

export const email = field((raw, path) => {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(raw))
    throw invalid(`Invalid email address: ${raw}`, path, 'email_invalid');
  return raw;
});

/** An enum value of the SDK's type; `refuseUnknown` has already checked it. */
export function word<T extends string>(): Field<StripeWord<T>> {
  return field((raw) => raw as StripeWord<T>);
}
/** Leaves out the SDK's placeholder for future values. */
type StripeWord<T> = T extends string ? (string & Record<never, never> extends T ? never : T) : never;

/** An enum value, where the sandbox supports only these of Stripe's values. */
export function oneOf<const T extends string>(...words: T[]): Field<T> {
  return field((raw, path) => {
    const word = words.find((candidate) => candidate === raw);
    if (word === undefined)
      throw invalid(`The sandbox supports only ${words.join(', ')} of Stripe's values for ${path}`, path);
    return word;
  });
}

/** The first of two readers that accepts the value. */
export function either<A, B>(first: Field<A>, second: Field<B>): Field<A | B> {
  return {
    read(raw, path) {
      try {
        return first.read(raw, path);
      } catch {
        return second.read(raw, path);
      }
    },
  };
}

/** An empty string unsets the value: the handler gets null. */
export function clearable<T>(inner: Field<T>): Field<T | null> {
  return { ...inner, read: (raw, path) => (raw === '' ? null : inner.read(raw, path)) };
}

export function listOf<T>(inner: Field<T>): Field<T[]> {
  return {
    ...(inner.shape && { shape: inner.shape }),
    read(raw, path) {
      if (typeof raw === 'string') throw invalid('Invalid array', path);
      return Object.entries(raw)
        .sort(([a], [b]) => Number(a) - Number(b))
        .map(([index, entry]) => {
          if (!/^\d+$/.test(index)) throw invalid('Invalid array', path);
          return inner.read(entry, `${path}[${index}]`);
        });
    },
  };
}

export function record<S extends Shape>(shape: S): Field<Params<S>> {
  return {
    shape,
    read(raw, path) {
      if (typeof raw === 'string') throw invalid('Invalid object', path);
      return readParams(shape, raw, path);
    },
  };
}

/** Metadata as sent: an empty value removes its key; `''` for the whole clears all (null). */
export const metadata: Field<Record<string, string> | null> = {
  read(raw, path) {
    if (raw === '') return null;
    if (typeof raw === 'string') throw invalid('Invalid object', path);
    const entries: Record<string, string> = {};
    for (const [key, value] of Object.entries(raw)) {
      if (typeof value !== 'string') throw invalid('Metadata values must be strings', `${path}[${key}]`);
      if (key.length > 40) throw invalid(`Metadata keys must be at most 40 characters: ${key}`, path);
      if (value.length > 500)
        throw invalid('Metadata values must be at most 500 characters', `${path}[${key}]`);
      entries[key] = value;
    }
    if (Object.keys(entries).length > 50) throw invalid('Metadata can have at most 50 keys', path);
    return entries;
  },
};

/** Metadata after an update: keys merge, an empty value removes its key, null clears. */
export function mergedMetadata(
  current: Record<string, string> | null,
  change: Record<string, string> | null | undefined,
): Record<string, string> {
  if (change === null) return {};
  const result = { ...current, ...change };
  for (const [key, value] of Object.entries(result)) if (value === '') delete result[key];
  return result;
}

/** Takes over the fields of an update as they were sent; metadata merges. */
export function applyFields<T extends { metadata: Record<string, string> | null }>(
  object: T,
  { metadata: change, ...plain }: Partial<Omit<T, 'metadata'>> & { metadata?: Record<string, string> | null },
): void {
  Object.assign(object, plain);
  if (change !== undefined) object.metadata = mergedMetadata(object.metadata, change);
}

export function needed<T>(inner: Field<T>): NeededField<T> {
  return { ...inner, needed: true };
}

/** `created[gte]=...` or `created=...`, as a predicate. */
export const range: Field<(moment: number) => boolean> = {
  read(raw, path) {
    if (typeof raw === 'string') {
      const number = integer.read(raw, path);
      return (moment) => moment === number;
    }
    const { gt, gte, lt, lte } = readParams(
      { gt: integer, gte: integer, lt: integer, lte: integer },
      raw,
      path,
    );
    return (moment) =>
      (gt === undefined || moment > gt) &&
      (gte === undefined || moment >= gte) &&
      (lt === undefined || moment < lt) &&
      (lte === undefined || moment <= lte);
  },
};

/** The parameters of every list. */
export const paging = { limit: integer, starting_after: text, ending_before: text };

/** Reads an object by its shape. Throws for parameters outside it, which the sandbox does not support. */
export function readParams<S extends Shape>(shape: S, raw: RawObject, path = ''): Params<S> {
  const out: Record<string, unknown> = {};
  const nested = (key: string) => (path ? `${path}[${key}]` : key);
  for (const [key, value] of Object.entries(raw)) {
    const field = Object.hasOwn(shape, key) ? shape[key] : undefined;
    if (!field)
      throw invalid(`The sandbox does not support this parameter of Stripe's: ${nested(key)}`, nested(key));
    out[key] = field.read(value, nested(key));
  }
  for (const [key, field] of Object.entries(shape)) {
    if ('needed' in field && !(key in out))
      throw invalid(`Missing required param: ${nested(key)}.`, nested(key), 'parameter_missing');
  }
  return out as Params<S>;
}
