import { z } from 'zod';
import { id } from '../../../contract/base.ts';
import { REFUSALS, Refusal, type RefusalCode } from '../../../contract/refusals.ts';
import { text } from '../../../contract/text.ts';
import { narrowedScopes } from '../../../domain/staff/api-scope.ts';
import { CLIENT_IP_HEADER } from '../../platform/client-ip.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import type { Auth } from '../better-auth.ts';
import {
  ACCESS_TOKEN_SECONDS,
  authenticateClient,
  signAccessToken,
  type TokenServices,
} from './access-tokens.ts';

/**
 * Token requests per client IP, and per API client with the right secret, which needs one every 15 minutes. The windows are
 * in seconds.
 */
const CLIENT_IP_LIMIT = { max: 120, window: 60 };
const API_CLIENT_LIMIT = { max: 30, window: 60 };

const clientCredentials = z.object({ client_id: id, client_secret: text(200).min(20) });

interface TokenContext extends TokenServices {
  auth: Auth;
}

/** RFC 6749's names for our refusals; other codes in lower case. */
const OAUTH_ERRORS: Partial<Record<RefusalCode, string>> = { UNSUPPORTED_MEDIA_TYPE: 'invalid_request' };

/**
 * POST /api/auth/token without `grant_type` in the query: OAuth's token endpoint (RFC 6749); refusals carry `error` and
 * `error_description` beside `code` and `message`. With it, the call is that of users' apps: app-sessions/. Never throws a
 * Refusal.
 */
export async function tokenEndpoint(ctx: TokenContext, request: Request): Promise<Response> {
  try {
    return Response.json(await issueToken(ctx, request), { headers: { Pragma: 'no-cache' } });
  } catch (error) {
    if (error instanceof Refusal) return refusalResponse(error);
    throw error;
  }
}

/** Throws Refusal UNSUPPORTED_MEDIA_TYPE, UNSUPPORTED_GRANT_TYPE, INVALID_CLIENT, INVALID_SCOPE, TOO_MANY_ATTEMPTS. */
async function issueToken(ctx: TokenContext, request: Request) {
  const clientIp = request.headers.get(CLIENT_IP_HEADER) ?? '';
  await consumeRateLimit(ctx, `token|${clientIp}`, CLIENT_IP_LIMIT);
  const form = await readForm(request);
  if (form.get('grant_type') !== 'client_credentials') throw new Refusal('UNSUPPORTED_GRANT_TYPE');
  const result = clientCredentials.safeParse(basicCredentials(request.headers) ?? Object.fromEntries(form));
  const client = result.success ? await authenticateClient(ctx, result.data) : null;
  if (!client) throw new Refusal('INVALID_CLIENT');
  await consumeRateLimit(ctx, `token|${client.id}`, API_CLIENT_LIMIT);
  const scopes = narrowedScopes(form.get('scope'), client.scopes);
  if (!scopes) throw new Refusal('INVALID_SCOPE');
  const access_token = await signAccessToken(ctx.auth, ctx, client, scopes);
  return { access_token, token_type: 'Bearer', expires_in: ACCESS_TOKEN_SECONDS, scope: scopes.join(' ') };
}

/**
 * The request's parameters: a form, or a JSON object of texts, which many clients send instead. Unknown ones are left alone.
 * Throws Refusal UNSUPPORTED_MEDIA_TYPE.
 */
async function readForm(request: Request): Promise<URLSearchParams> {
  const [type = ''] = request.headers.get('content-type')?.split(';') ?? [];
  if (type === 'application/x-www-form-urlencoded') return new URLSearchParams(await request.text());
  if (type !== 'application/json') throw new Refusal('UNSUPPORTED_MEDIA_TYPE');
  const body: unknown = await request.json().catch(() => null);
  const texts = Object.entries(body ?? {}).filter(([, value]) => typeof value === 'string');
  return new URLSearchParams(texts as [string, string][]);
}

function basicCredentials(headers: Headers): { client_id?: string; client_secret?: string } | null {
  const [, credentials] = /^Basic +([\w+/=]{1,600})$/i.exec(headers.get('authorization') ?? '') ?? [];
  if (!credentials) return null;
  const [client_id, client_secret] = Buffer.from(credentials, 'base64')
    .toString()
    .split(':')
    .map(formDecoded);
  return { client_id, client_secret };
}

/** The id and the secret are form-encoded before they are joined (RFC 6749, 2.3.1). */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function refusalResponse({ code, data }: Refusal): Response {
  const { status, message: wording } = REFUSALS[code];
  const message =
    code === 'UNSUPPORTED_MEDIA_TYPE'
      ? 'Send application/json, or application/x-www-form-urlencoded.'
      : wording;
  const headers = new Headers();
  if (code === 'INVALID_CLIENT') headers.set('WWW-Authenticate', 'Basic realm="token"');
  if (data && 'retry_after_seconds' in data) headers.set('Retry-After', String(data.retry_after_seconds));
  const error = OAUTH_ERRORS[code] ?? code.toLowerCase();
  return Response.json(
    { error, error_description: message, code, message, ...(data && { data }) },
    { status, headers },
  );
}
