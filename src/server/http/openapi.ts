import { OpenAPIGenerator } from '@orpc/openapi';
import { ZodToJsonSchemaConverter } from '@orpc/zod/zod4';
import { oauth } from '../../contract/auth/oauth.ts';
import { contract } from '../../contract/index.ts';
import { cookiePrefix } from '../auth/sessions/session-cookie.ts';

/** The OpenAPI document of every call there is, made from the contract. publicUrl: without a trailing slash. */
export function openApiDocument(publicUrl: string): Promise<object> {
  const generator = new OpenAPIGenerator({ schemaConverters: [new ZodToJsonSchemaConverter()] });
  return generator.generate(
    { ...contract, oauth },
    {
      info: { title: 'Cellar Door', version: '1' },
      servers: [{ url: `${publicUrl}/api` }],
      security: [{ session: [] }, { app: [] }, { api_client: [] }],
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: `${cookiePrefix(publicUrl)}.session_token` },
          app: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: `The access token that POST ${publicUrl}/api/auth/token gives for a password or a refresh token.`,
          },
          api_client: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: `The access token that POST ${publicUrl}/api/auth/token gives for client credentials.`,
          },
        },
      },
      // The one shape of src/server/api/errors.ts.
      customErrorResponseBodySchema: (refusals) => ({
        oneOf: refusals.map(([code, message, hasData, data]) => ({
          type: 'object',
          properties: {
            code: { const: code },
            message: { type: 'string', examples: [message] },
            ...(hasData && { data }),
          },
          required: hasData ? ['code', 'message', 'data'] : ['code', 'message'],
        })),
      }),
    },
  );
}
