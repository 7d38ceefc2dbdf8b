import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import type { openApiDocument } from '../../../src/server/http/docs/openapi.ts';

type Document = Awaited<ReturnType<typeof openApiDocument>>;
type Schema = Record<string, unknown>;
interface Response {
  $ref?: string;
  content?: Record<string, { schema?: Schema }>;
}
interface Operation {
  operationId?: string;
  responses?: Record<string, Response>;
}

interface Answered {
  method: string;
  /** With its query. */
  path: string;
  status: number;
  /** The Content-Type; null without one. */
  type: string | null;
  text: string;
}

export interface Judge {
  /** What the published document does not say of the answer; null if it fits, or the document has no such operation. */
  (answer: Answered): string | null;
  /** The answers judged, by 'operation status code'. */
  judged: Map<string, number>;
}

const FORMATS = {
  'date-time': z.iso.datetime({ offset: true }),
  date: z.iso.date(),
  uuid: z.uuid(),
  email: z.email(),
  uri: z.url(),
};

/** Judges answers by the document: status, content type and schema. */
export function createJudge(document: Document): Judge {
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, logger: false });
  for (const [name, schema] of Object.entries(FORMATS)) {
    ajv.addFormat(name, (text: string) => schema.safeParse(text).success);
  }
  const components = document.components as { schemas: Schema; responses: Record<string, Response> };
  const validators = new Map<Schema, ValidateFunction>();
  const validatorOf = (schema: Schema) => {
    const made =
      validators.get(schema) ?? ajv.compile({ ...schema, components: { schemas: components.schemas } });
    validators.set(schema, made);
    return made;
  };
  const operations = operationsByPath(document);
  const judged = new Map<string, number>();

  const judge = ({ method, path, status, type, text }: Answered): string | null => {
    const operation = operations(method, new URL(path, 'http://localhost').pathname);
    if (!operation) return null;
    const key = `${operation.operationId} ${status} ${status >= 400 ? codeIn(text) : ''}`.trim();
    judged.set(key, (judged.get(key) ?? 0) + 1);
    // Any GET can be answered with 304, which has no content.
    if (status === 304) return null;
    const named = operation.responses?.[status];
    const response = named?.$ref ? components.responses[named.$ref.split('/').at(-1) ?? ''] : named;
    if (!response) return `${key}: no such status in the document`;
    const contents = Object.entries(response.content ?? {});
    if (contents.length === 0) return text === '' ? null : `${key}: the document names no content`;
    const [sent = ''] = (type ?? '').split(';');
    const schema = contents.find(([documented]) => documented === sent)?.[1].schema;
    if (!schema) return `${key}: ${type} instead of ${contents.map(([it]) => it).join(', ')}`;
    if (sent !== 'application/json') return null;
    const validate = validatorOf(schema);
    if (validate(JSON.parse(text))) return null;
    const errors = (validate.errors ?? []).map((it) => `${it.instancePath} ${it.message}`);
    return `${key}: ${errors.join('; ')} in ${text.slice(0, 300)}`;
  };
  return Object.assign(judge, { judged });
}

function codeIn(text: string): string {
  try {
    return String((JSON.parse(text) as { code?: string }).code);
  } catch {
    return 'no JSON';
  }
}

/** Finds the operation of a request; a path without parameters goes before one with. */
function operationsByPath({ paths = {} }: Document) {
  const routes = Object.entries(paths).map(([path, methods]) => ({
    parameters: path.split('{').length - 1,
    pattern: new RegExp(`^/api${path.replaceAll(/[.]/g, '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
    methods: methods as Record<string, Operation>,
  }));
  routes.sort((one, other) => one.parameters - other.parameters);
  return (method: string, path: string): Operation | undefined =>
    routes.find((it) => it.pattern.test(path) && method.toLowerCase() in it.methods)?.methods[
      method.toLowerCase()
    ];
}
