import { type OpenAPI, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { z } from 'zod';
import {
  ALL_AUTH_ERROR_CODES,
  API_VERSION,
  API_VERSION_HEADER,
} from '../../../contract/auth/auth-error-codes.ts';
import { contract } from '../../../contract/index.ts';
import type { ApiScope } from '../../../domain/staff/api-scope.ts';
import type { Call, CallName } from '../../api/call.ts';
import { CALLS, GROUPS } from '../../api/calls/index.ts';
import { POLICIES, type Policy } from '../../api/policies.ts';
import { cookiePrefix } from '../../auth/sessions/session-cookie.ts';

type Operation = OpenAPI.OperationObject;
type Schema = OpenAPI.SchemaObject;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

const SCOPE_WORDS: Record<ApiScope, string> = {
  'own:read': 'Read the membership, pours, payments and taste of the member whose client it is',
  'own:write': 'Save their application, and make their card code',
  'tiers:read': 'Read what members can buy',
  'wines:read': 'Read the list of wines',
  'wines:write': 'Open bottles, and take wines off the bar',
  'cards:read': 'See whose card was scanned, and what is left',
  'pours:read': 'Read the pours of members',
  'pours:write': 'Record and void pours, and list the places where they are poured',
  'members:read':
    'Read and search members, with names, emails and taste, and phones if its user may see them',
  'applications:read': 'Read applications, with names and emails',
  'applications:write': 'Approve and reject applications',
  'reports:read': 'Read reports that its user may see',
  'venue:read':
    "Read notices, with names and emails, the tiers' settings, tonight’s figures and the state of the system",
  'venue:write': 'Settle notices',
};

const text: Schema = { type: 'string' };

const ISSUES: Schema = {
  type: 'object',
  properties: {
    issues: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'array', items: {} }, message: text },
        required: ['message'],
      },
    },
  },
  required: ['issues'],
};

function errorSchema(code: string, data: Schema | undefined): Schema {
  return {
    type: 'object',
    properties: { code: { const: code }, message: text, ...(data && { data }) },
    required: ['code', 'message'],
  };
}

/** Refusals that come before a call's own, with their status. */
const COMMON_STATUS = {
  BAD_REQUEST: 400,
  FOREIGN_ORIGIN: 403,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INTERNAL_SERVER_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;
type CommonCode = keyof typeof COMMON_STATUS;
const COMMON_CODES = Object.keys(COMMON_STATUS) as CommonCode[];

const COMMON_SCHEMAS = Object.fromEntries(
  COMMON_CODES.map((code) => [code, errorSchema(code, code === 'BAD_REQUEST' ? ISSUES : undefined)]),
);

const COMMON_RESPONSES = Object.fromEntries(
  COMMON_CODES.map((code) => [code, { description: code, content: jsonOf([code]) }]),
);

/** A refusal of a sign-in call, as clients of Supabase Auth ask for it: src/server/http/auth-errors.ts. */
const AUTH_ERROR = 'SupabaseAuthError';
const authErrorSchema: Schema = {
  type: 'object',
  properties: {
    code: { enum: ALL_AUTH_ERROR_CODES },
    error_code: { enum: ALL_AUTH_ERROR_CODES },
    message: text,
    weak_password: { type: 'object', properties: { reasons: { type: 'array', items: text } } },
  },
  required: ['code', 'error_code', 'message'],
};

const VERSION_PARAMETER: OpenAPI.ParameterObject = {
  name: API_VERSION_HEADER,
  in: 'header',
  description: `From ${API_VERSION} on, \`code\` of a refusal is that of Supabase Auth, as its clients ask. Without it, only \`error_code\` is.`,
  schema: { type: 'string', format: 'date' },
};

function jsonOf(codes: string[]) {
  const refs = codes.map((code) => ({ $ref: `#/components/schemas/${code}` }));
  return { 'application/json': { schema: refs.length === 1 ? refs[0] : { oneOf: refs } } };
}

/** The OpenAPI document of all calls, made from the contract. `publicUrl`: without a trailing slash. */
export async function openApiDocument(publicUrl: string): Promise<OpenAPI.Document> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  const refusals: Record<string, Schema> = {};
  const document = await generator.generate(contract, {
    info: {
      title: 'Cellar Door',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      description: 'The same API that the web app uses. How a program signs in is under `POST /auth/token`.',
    },
    servers: [{ url: `${publicUrl}/api` }],
    tags: GROUPS.map(({ name, description }) => ({ name, description })),
    // The error shape of src/server/api/errors.ts, once per code.
    customErrorResponseBodySchema: (codes) => {
      for (const refusal of codes) refusals[refusal[0]] ??= refusalSchema(refusal);
      const refs = codes.map(([code]) => ({ $ref: `#/components/schemas/${code}` }));
      return refs.length === 1 ? refs[0] : { oneOf: refs };
    },
  });
  document.components = {
    ...document.components,
    schemas: {
      ...document.components?.schemas,
      ...COMMON_SCHEMAS,
      ...refusals,
      [AUTH_ERROR]: authErrorSchema,
    },
    parameters: { [API_VERSION_HEADER]: VERSION_PARAMETER },
    securitySchemes: securitySchemes(publicUrl),
  };
  for (const { operation, ...at } of operationsOf(document)) complete(operation, at);
  const paths = JSON.stringify(document.paths);
  const responses = Object.entries(COMMON_RESPONSES).filter(([code]) =>
    paths.includes(`/responses/${code}"`),
  );
  Object.assign(document.components, { responses: Object.fromEntries(responses) });
  makeReadable(document);
  return document;
}

/** What other languages' regular expressions lack: classes by property, looking ahead and behind, escapes by number. */
const UNREADABLE = /\\[pP]\{|\(\?[!=<]|\\u/;

/** The pattern of a calendar day, which JSON Schema calls a date. */
const DAY = z.regexes.date.source;

interface Node {
  pattern?: string;
  format?: string;
  allOf?: unknown[];
}

/**
 * Makes patterns those that most languages can read, as JSON Schema asks (2020-12, 6.4). Without the others, a generated
 * client refuses less than the server, and never more.
 */
function makeReadable(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  const schema = node as Node;
  if (schema.pattern === DAY) schema.format = 'date';
  if (typeof schema.pattern === 'string' && (schema.pattern === DAY || UNREADABLE.test(schema.pattern))) {
    delete schema.pattern;
  }
  for (const value of Object.values(node)) makeReadable(value);
  if (!Array.isArray(schema.allOf)) return;
  schema.allOf = schema.allOf.filter((part) => Object.keys(part as object).length > 0);
  if (schema.allOf.length === 0) delete schema.allOf;
}

type Possible = [code: string, message: string, hasData: boolean, data: unknown];

function refusalSchema([code, message, hasData, data]: Possible): Schema {
  return {
    type: 'object',
    properties: {
      code: { const: code },
      message: { type: 'string', examples: [message] },
      ...(hasData && { data: data as Schema }),
    },
    required: hasData ? ['code', 'message', 'data'] : ['code', 'message'],
  };
}

export function* operationsOf(document: OpenAPI.Document) {
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = item?.[method];
      if (operation) yield { method, path, operation };
    }
  }
}

const either = (names: readonly string[]) => names.map((it) => `\`${it}\``).join(' or ');

/** A paragraph for a call's description: the role, permission and scope that it needs. */
function whoMay({ policy, scope, browserOnly }: Call): string {
  if (policy === 'everyone') return 'Open to everyone.';
  if (policy === 'signingIn') {
    return 'For anyone signed in, or whose sign-in waits for a code. Closed to API clients.';
  }
  const { roles, permission, tablets }: Policy = POLICIES[policy];
  const permissions = permission === undefined ? [] : [permission].flat();
  const audience = [
    `For the role ${either(roles)}`,
    permissions.length > 0 ? `with the permission ${either(permissions)}` : '',
  ].filter(Boolean);
  const place = tablets ? ' Also on a shared tablet.' : '';
  const apps = browserOnly ? ' Closed to apps.' : '';
  const clients = scope ? `API clients need the scope \`${scope}\`.` : 'Closed to API clients.';
  return `${audience.join(', ')}.${place}${apps} ${clients}`;
}

/** Ways to authenticate. An API client also needs the call's scope; many calls are closed to it. */
function securityOf({ policy, scope }: Call): OpenAPI.SecurityRequirementObject[] {
  if (policy === 'everyone') return [];
  return [{ session: [] }, { app: [] }, ...(scope ? [{ api_client: [scope] }] : [])];
}

/** Adds the group, the common responses, and a description for each status. */
function complete(operation: Operation, { method, path }: { method: string; path: string }): void {
  const name = operation.operationId as CallName;
  operation.tags = GROUPS.filter(({ calls }) => name in calls).map((group) => group.name);
  operation.security = securityOf(CALLS[name]);
  operation.description = [operation.description, whoMay(CALLS[name])].filter(Boolean).join('\n\n');
  const responses = operation.responses ?? {};
  for (const code of commonCodes(method)) addRefusal(responses, code);
  for (const [status, response] of Object.entries(responses)) {
    if (!('$ref' in response) && status >= '400') response.description = codesOf(response).join(', ');
  }
  operation.responses = responses;
  if (path.startsWith('/auth/')) offerAuthErrors(operation);
}

/** Sign-in calls refuse in two shapes: ours with `error_code`, and that of Supabase Auth. */
function offerAuthErrors(operation: Operation): void {
  const version = { $ref: `#/components/parameters/${API_VERSION_HEADER}` };
  operation.parameters = [...(operation.parameters ?? []), version];
  for (const [status, response] of Object.entries(operation.responses ?? {})) {
    if (status < '400') continue;
    const codes =
      '$ref' in response
        ? [response.$ref?.split('/').at(-1) ?? '']
        : codesOf(response as OpenAPI.ResponseObject);
    const [description, content] = [codes.join(', '), jsonOf([...codes, AUTH_ERROR])];
    operation.responses = { ...operation.responses, [status]: { description, content } };
  }
}

function commonCodes(method: string): CommonCode[] {
  // Any query or body is read, even if the call needs none.
  const codes: CommonCode[] = ['BAD_REQUEST', 'INTERNAL_SERVER_ERROR', 'SERVICE_UNAVAILABLE'];
  if (method !== 'get') codes.push('FOREIGN_ORIGIN', 'BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  return codes;
}

function addRefusal(responses: NonNullable<Operation['responses']>, code: CommonCode): void {
  const status = COMMON_STATUS[code];
  const response = responses[status];
  if (!response) responses[status] = { $ref: `#/components/responses/${code}` };
  else if (!('$ref' in response)) {
    const { content } = response as OpenAPI.ResponseObject;
    const codes = codesOf(response as OpenAPI.ResponseObject);
    if (!codes.includes(code))
      Object.assign(response, { content: { ...content, ...jsonOf([...codes, code]) } });
  }
}

function codesOf(response: OpenAPI.ResponseObject): string[] {
  const schema = response.content?.['application/json']?.schema ?? {};
  const options = 'oneOf' in schema ? (schema.oneOf ?? []) : [schema];
  return options.map((it) => ('$ref' in it ? (it.$ref?.split('/').at(-1) ?? '') : ''));
}

function securitySchemes(publicUrl: string): Record<string, OpenAPI.SecuritySchemeObject> {
  const tokenUrl = `${publicUrl}/api/auth/token`;
  return {
    session: { type: 'apiKey', in: 'cookie', name: `${cookiePrefix(publicUrl)}.session_token` },
    app: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: `The access token that POST ${tokenUrl} gives for a password or a refresh token.`,
    },
    api_client: {
      type: 'oauth2',
      description: 'The token is a JWT, and goes into an Authorization: Bearer header.',
      flows: { clientCredentials: { tokenUrl, scopes: SCOPE_WORDS } },
    },
  };
}
