import { type OpenAPI, OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { contract } from '../../../contract/index.ts';
import type { ApiScope } from '../../../domain/staff/api-scope.ts';
import type { Call, CallName } from '../../api/call.ts';
import { CALLS, GROUPS } from '../../api/calls/index.ts';
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
  'pours:write': 'Record and void pours',
  'members:read': 'Read and search members, with names and taste',
  'applications:read': 'Read applications',
  'applications:write': 'Approve and reject applications',
  'reports:read': 'Read reports that its user may see',
  'venue:read': "Read notices, the tiers' settings, tonight’s figures and the state of the system",
  'venue:write': 'Settle notices',
};

const text: Schema = { type: 'string' };

const errorSchema = (code: string, data?: Schema): Schema => ({
  type: 'object',
  properties: { code: { const: code }, message: text, ...(data && { data }) },
  required: ['code', 'message'],
});

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

const COMMON_SCHEMAS: Record<string, Schema> = {
  BAD_REQUEST: errorSchema('BAD_REQUEST', ISSUES),
  BODY_TOO_LARGE: errorSchema('BODY_TOO_LARGE'),
  INTERNAL_SERVER_ERROR: errorSchema('INTERNAL_SERVER_ERROR'),
  SERVICE_UNAVAILABLE: errorSchema('SERVICE_UNAVAILABLE'),
};

const COMMON_RESPONSES = Object.fromEntries(
  Object.keys(COMMON_SCHEMAS).map((code) => [code, { description: code, ...jsonOf(code) }]),
);

function jsonOf(schema: string) {
  return { content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } } };
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
    customErrorResponseBodySchema: (possible) => {
      for (const refusal of possible) refusals[refusal[0]] ??= refusalSchema(refusal);
      const refs = possible.map(([code]) => ({ $ref: `#/components/schemas/${code}` }));
      return refs.length === 1 ? refs[0] : { oneOf: refs };
    },
  });
  document.components = {
    ...document.components,
    schemas: { ...document.components?.schemas, ...COMMON_SCHEMAS, ...refusals },
    responses: COMMON_RESPONSES,
    securitySchemes: securitySchemes(publicUrl),
  };
  for (const { operation } of operationsOf(document)) complete(operation);
  return document;
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

/** Ways to authenticate. An API client also needs the call's scope; many calls are closed to it. */
function securityOf({ policy, scope }: Call): OpenAPI.SecurityRequirementObject[] {
  if (policy === 'everyone') return [];
  return [{ session: [] }, { app: [] }, ...(scope ? [{ api_client: [scope] }] : [])];
}

/** Adds the group, the common responses, and a description for each status. */
function complete(operation: Operation): void {
  const name = operation.operationId as CallName;
  operation.tags = GROUPS.filter(({ calls }) => name in calls).map((group) => group.name);
  operation.security = securityOf(CALLS[name]);
  const responses = operation.responses ?? {};
  for (const [status, response] of Object.entries(responses)) {
    if (!('$ref' in response) && status >= '400') response.description = codesOf(response).join(', ');
  }
  const common = (code: string) => ({ $ref: `#/components/responses/${code}` });
  const takesBody = operation.requestBody !== undefined;
  if (takesBody || (operation.parameters ?? []).length > 0) responses['400'] ??= common('BAD_REQUEST');
  if (takesBody) responses['413'] ??= common('BODY_TOO_LARGE');
  responses['500'] ??= common('INTERNAL_SERVER_ERROR');
  responses['503'] ??= common('SERVICE_UNAVAILABLE');
  operation.responses = responses;
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
