import { jwks } from '../../db/schema.ts';
import type { AuthServices } from '../auth-context.ts';
import type { Auth } from '../better-auth.ts';
import { audiences, type TokenKind } from './jwks.ts';

export type SigningServices = Pick<AuthServices, 'db' | 'newId' | 'log'>;

const audiencesOf = ({ options }: Auth) => audiences(options.baseURL);

export interface Claims extends Record<string, unknown> {
  /** The user's id. */
  sub: string;
  /** Seconds since 1970, by the database's clock. */
  iat: number;
  exp: number;
}

/** Signs a token. If an earlier AUTH_SECRET encrypted the signing key, replaces all keys, which invalidates their tokens. */
export async function signToken(
  auth: Auth,
  { db, newId, log }: SigningServices,
  kind: TokenKind,
  claims: Claims,
): Promise<string> {
  const aud = audiencesOf(auth)[kind];
  const body = { payload: { ...claims, aud, jti: newId() } };
  try {
    return (await auth.api.signTypedJWT({ body })).token;
  } catch {
    log.warn('the signing key cannot be decrypted: a new one is created');
    await db.delete(jwks);
    return (await auth.api.signTypedJWT({ body })).token;
  }
}

/** A token's kind and claims; null unless we signed the token and it has not expired. */
export async function verifyToken(
  auth: Auth,
  token: string,
): Promise<{ kind: TokenKind; claims: Record<string, unknown> } | null> {
  if (token.length > 2000) return null;
  const { payload } = await auth.api.verifyJWT({ body: { token } });
  if (!payload) return null;
  const kinds = Object.entries(audiencesOf(auth)) as [TokenKind, string][];
  const [kind] = kinds.find(([, aud]) => aud === payload.aud) ?? [];
  return kind ? { kind, claims: payload } : null;
}
