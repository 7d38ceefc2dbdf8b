import fc from 'fast-check';

/** One operation of the OpenAPI document, with the input it declares. */
export interface Operation {
  method: string;
  /** Includes {parameters}. */
  path: string;
  parameters: { name: string; in: 'path' | 'query'; schema: Schema }[];
  body: Schema | null;
}

interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
}

export interface HostileRequest {
  method: string;
  path: string;
  body: string | null;
}

type Document = {
  paths: Record<
    string,
    Record<
      string,
      {
        parameters?: { name: string; in: string; schema?: Schema }[];
        requestBody?: { content?: Record<string, { schema?: Schema }> };
      }
    >
  >;
};

/** Lists every operation of an OpenAPI document. */
export function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters: parameters
        .filter((it) => it.in === 'path' || it.in === 'query')
        .map((it) => ({ name: it.name, in: it.in as 'path' | 'query', schema: it.schema ?? {} })),
      body: requestBody?.content?.['application/json']?.schema ?? null,
    })),
  );
}

const text = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  fc.constantFrom(
    '',
    ' ',
    '\0',
    '\ud800',
    '\u202e\u2066gnp.exe',
    'ß'.repeat(300),
    '👩‍👩‍👧'.repeat(40),
    "' or '1'='1",
    "'; drop table profiles; --",
    '%',
    '%_\\',
    '#{7*7}',
    '{{constructor.constructor("return process")()}}',
    '<script>alert(1)</script>',
    '../../../../etc/passwd',
    '__proto__',
    'constructor',
    'NaN',
    '-1',
    '1e309',
    'x'.repeat(5_000),
    '2026-13-45',
    '9999-12-31T23:59:59.999Z',
    '+275760-09-13T00:00:00.000Z',
  ),
);

const number = fc.constantFrom(
  0,
  -0,
  -1,
  1,
  0.1,
  1e-320,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 53,
  2 ** 63,
  1e308,
  -1e308,
);

const deep = fc.constantFrom(
  ...[10, 500, 3_000].map((levels) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))),
);

/** Keys that a careless merge would write into every object. In JSON text, because an object literal would drop them. */
const polluting: fc.Arbitrary<unknown> = fc
  .constantFrom(
    '{"__proto__":{"polluted":true}}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '{"toString":"x","hasOwnProperty":1,"then":1}',
  )
  .map((json) => JSON.parse(json));

const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 3, arbitrary: number },
  fc.constantFrom(null, true, false),
  fc.array(text, { maxLength: 3 }),
  polluting,
  deep,
);

/** Mostly valid input and its boundaries, sometimes anything else. `known` are existing ids. */
function inputFor(schema: Schema, known: string[]): fc.Arbitrary<unknown> {
  const or = (arbitrary: fc.Arbitrary<unknown>) => fc.oneof({ weight: 4, arbitrary }, junk);
  if (schema.const !== undefined) return or(fc.constant(schema.const));
  if (schema.enum) return or(fc.constantFrom(...schema.enum));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((it) => inputFor(it, known)));
  if (schema.allOf) {
    const parts = fc.tuple(...schema.allOf.map((it) => inputFor(it, known)));
    return parts.map((all) => Object.assign({}, ...all.filter((it) => typeof it === 'object')));
  }
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties) {
    const fields = Object.entries(schema.properties ?? {}).map(([name, it]) => [name, inputFor(it, known)]);
    const record = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
    const whole = fc.record(Object.fromEntries(fields));
    const unknown = fc.tuple(whole, text, junk).map(([it, key, value]) => ({ ...it, [key]: value }));
    return fc.oneof({ weight: 5, arbitrary: whole }, { weight: 2, arbitrary: record }, unknown, junk);
  }
  if (type === 'array') return or(fc.array(inputFor(schema.items ?? {}, known), { maxLength: 4 }));
  if (type === 'boolean') return or(fc.boolean());
  if (type === 'integer' || type === 'number') {
    const { minimum = -5, maximum = 1_000 } = schema;
    return or(
      fc.constantFrom(minimum, maximum, minimum - 1, maximum + 1, Math.floor((minimum + maximum) / 2)),
    );
  }
  if (type === 'string') {
    const long = fc.constant('y'.repeat(Math.min(schema.maxLength ?? 100, 5_000) + 1));
    if (schema.format === 'uuid')
      return or(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, fc.uuid()));
    if (schema.format === 'date')
      return or(fc.constantFrom('2026-02-28', '2026-02-30', '0000-01-01', '9999-12-31'));
    return or(fc.oneof({ weight: 3, arbitrary: text }, long, fc.constantFrom(...known)));
  }
  return junk;
}

const brokenBody = fc.constantFrom(
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '\u0000',
  `"${'z'.repeat(70_000)}"`,
  '{"a":1}{',
);
const rawParameter = fc.constantFrom('%', '%ff', '%00', '%E0%A4%A', '..%2f..%2f', '%2e%2e', '%F0%9F%8D%B7');

/** Requests to these operations at and beyond the limits of client input. */
export function hostileRequests(operations: Operation[], known: string[]): fc.Arbitrary<HostileRequest> {
  return fc.oneof(...operations.map((it) => hostileRequest(it, known)));
}

/** The smallest valid input for the schema, with this id wherever it takes an id. */
function validInput(schema: Schema, id: string): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [choice] = schema.anyOf ?? schema.oneOf ?? [];
  if (choice) return validInput(choice, id);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((it) => validInput(it, id)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties) {
    const fields = Object.entries(schema.properties ?? {}).filter(
      ([name, it]) => schema.required?.includes(name) || it.format === 'uuid',
    );
    return Object.fromEntries(fields.map(([name, it]) => [name, validInput(it, id)]));
  }
  if (type === 'array') return [validInput(schema.items ?? {}, id)];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return id;
}

/** A valid request to the operation, with this id wherever it takes an id. */
export function validRequest({ method, path, parameters, body }: Operation, id: string): HostileRequest {
  const filled = parameters
    .filter((it) => it.in === 'path')
    .reduce((filling, { name }) => filling.replace(`{${name}}`, id), path);
  return {
    method,
    path: `/api${filled}`,
    body: method === 'GET' ? null : JSON.stringify(validInput(body ?? { type: 'object' }, id)),
  };
}

/** Text that JSON can carry but Postgres cannot store, alone and within other text. */
const UNSTORABLE = ['\ud83c', 'wine \udf77', '\0', 'a\0b'];

/** The input with `spoiled` as every free text, declared or not, and valid values for everything else. */
function spoiledInput(schema: Schema, id: string, spoiled: string): unknown {
  const choice = (schema.anyOf ?? schema.oneOf)?.find((it) => it.type !== 'null');
  if (choice) return spoiledInput(choice, id, spoiled);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((it) => spoiledInput(it, id, spoiled)));
  if (schema.const !== undefined || schema.enum) return validInput(schema, id);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties) {
    const fields = Object.entries(schema.properties ?? {});
    return Object.fromEntries(fields.map(([name, it]) => [name, spoiledInput(it, id, spoiled)]));
  }
  if (type === 'array') return [spoiledInput(schema.items ?? {}, id, spoiled)];
  if (type !== 'string' || schema.pattern) return validInput(schema, id);
  if (schema.format === 'email') return 'hostile@example.test';
  if (schema.format === 'date') return '2026-02-28';
  // At least as long as the shortest password.
  return schema.format ? validInput(schema, id) : spoiled.padStart(schema.minLength ?? 0, 'Quince & fig');
}

/** Requests to the operation with text that cannot be stored in every text field, and in its query. */
export function spoiledRequests(operation: Operation, id: string): HostileRequest[] {
  const { method, parameters, body } = operation;
  const { path } = validRequest(operation, id);
  return UNSTORABLE.map((spoiled) => {
    const query = parameters
      .filter((it) => it.in === 'query')
      .map(({ name, schema }) => [name, String(spoiledInput(schema, id, spoiled)).toWellFormed()]);
    return {
      method,
      path: query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
      body: method === 'GET' ? null : JSON.stringify(spoiledInput(body ?? { type: 'object' }, id, spoiled)),
    };
  });
}

function hostileRequest(
  { method, path, parameters, body }: Operation,
  known: string[],
): fc.Arbitrary<HostileRequest> {
  const encoded = ({ schema }: Operation['parameters'][number]) =>
    fc.oneof(
      {
        weight: 5,
        arbitrary: inputFor(schema, known).map((it) =>
          // The HTTP server itself refuses longer URLs, which would not test our code.
          encodeURIComponent(
            (typeof it === 'string' ? it : (JSON.stringify(it) ?? '')).slice(0, 800).toWellFormed(),
          ),
        ),
      },
      rawParameter,
    );
  const inPath = parameters.filter((it) => it.in === 'path');
  const inQuery = parameters.filter((it) => it.in === 'query');
  return fc
    .record({
      path: fc.tuple(...inPath.map(encoded)),
      query: fc.tuple(...inQuery.map((it) => fc.option(encoded(it), { freq: 3 }))),
      pollution: fc.option(fc.constantFrom('__proto__[polluted]=1', 'constructor[prototype][polluted]=1'), {
        freq: 1,
      }),
      body:
        method === 'GET'
          ? fc.constant(null)
          : fc.oneof(
              {
                weight: 9,
                arbitrary: inputFor(body ?? { type: 'object' }, known).map((it) => JSON.stringify(it)),
              },
              brokenBody,
            ),
    })
    .map((drawn) => {
      let filled = path;
      for (const [nth, { name }] of inPath.entries()) {
        filled = filled.replace(`{${name}}`, () => drawn.path[nth] || 'x');
      }
      const query = inQuery.flatMap(({ name }, nth) => {
        const value = drawn.query[nth];
        return value === null || value === undefined ? [] : [`${name}=${value}`];
      });
      if (drawn.pollution) query.push(drawn.pollution);
      return {
        method,
        path: `/api${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`,
        body: drawn.body ?? null,
      };
    });
}
