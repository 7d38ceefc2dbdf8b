import { createAuthEndpoint } from 'better-auth/api';
import { type JwtOptions, jwt, signJWT } from 'better-auth/plugins';
import { z } from 'zod';
import { USER_AUDIENCE } from '../../../contract/auth/auth-user.ts';
import { sql } from '../../db/orm.ts';
import { jwks } from '../../db/schema.ts';
import type { AuthServices } from '../auth-context.ts';

const DAY = 24 * 3600;
/** Seconds for which a key signs. */
const SIGNING_KEY_SECONDS = 30 * DAY;
/** Seconds for which a key still verifies after that; then a database trigger deletes it. */
const SIGNING_KEY_GRACE = DAY;

/** P-256, which other makers' clients can verify in a browser too. */
const ALG = 'ES256';

/** The purpose of a token. Its audience names it, so a token of one kind never passes for another. */
export type TokenKind = 'api client' | 'session' | 'second step';

/** The audience of each kind of token. `publicUrl`: without a trailing slash. */
export const audiences = (publicUrl: string): Record<TokenKind, string> => ({
  'api client': `${publicUrl}/api`,
  session: USER_AUDIENCE,
  // Keeps other services of the venue from treating a user before their second step as signed in.
  'second step': 'second-step',
});

/** The library's keys, without its call that signs: it names no type in the header, which some clients require. */
export function jwksPlugins(db: AuthServices['db'], publicUrl: string) {
  const options = keyOptions(db, publicUrl);
  const body = z.object({ payload: z.custom<Record<string, unknown>>() });
  const sign = createAuthEndpoint.serverOnly({ method: 'POST', body }, async (ctx) => ({
    token: await signJWT(ctx, { options, payload: ctx.body.payload, header: { typ: 'JWT' } }),
  }));
  return [jwt(options), { id: 'typed-tokens', endpoints: { signTypedJWT: sign } }] as const;
}

function keyOptions(db: AuthServices['db'], publicUrl: string): JwtOptions {
  return {
    disableSettingJwtHeader: true,
    jwks: {
      keyPairConfig: { alg: ALG },
      rotationInterval: SIGNING_KEY_SECONDS,
      gracePeriod: SIGNING_KEY_GRACE,
    },
    jwt: { issuer: publicUrl, audience: Object.values(audiences(publicUrl)) },
    adapter: {
      // The library would verify with every key it ever had, with any algorithm.
      getJwks: async () => {
        const rows = await db
          .select()
          .from(jwks)
          .where(
            sql`${jwks.expiresAt} > now() - make_interval(secs => ${SIGNING_KEY_GRACE}) and ${jwks.alg} = ${ALG}`,
          );
        return rows.map(({ expiresAt, alg: _, crv: __, ...row }) => ({
          ...row,
          alg: ALG,
          crv: 'P-256' as const,
          expiresAt: expiresAt ?? undefined,
        }));
      },
    },
  };
}
