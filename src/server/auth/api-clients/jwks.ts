import { jwt } from 'better-auth/plugins';
import { sql } from 'drizzle-orm';
import type { Context } from 'hono';
import { jwks } from '../../db/schema.ts';
import type { Auth } from '../better-auth.ts';
import type { AuthServices } from '../context.ts';

/** How long an access token is good for, at most: every request asks whether it still is. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;
const DAY = 24 * 3600;
/** A key signs for this long, */
const SIGNING_KEY_SECONDS = 30 * DAY;
/** and verifies for so much longer (seconds); a trigger of the database then deletes it. */
const SIGNING_KEY_GRACE = DAY;

/** The identity library's signing keys: public at /api/auth/jwks, private ones encrypted with its secret. */
export function jwksPlugin(db: AuthServices['db'], publicUrl: string) {
  return jwt({
    disableSettingJwtHeader: true,
    jwks: {
      keyPairConfig: { alg: 'EdDSA', crv: 'Ed25519' },
      rotationInterval: SIGNING_KEY_SECONDS,
      gracePeriod: SIGNING_KEY_GRACE,
    },
    jwt: { issuer: publicUrl, audience: `${publicUrl}/api`, expirationTime: `${ACCESS_TOKEN_SECONDS}s` },
    adapter: {
      // The library would verify with every key it ever had.
      getJwks: async () => {
        const rows = await db
          .select()
          .from(jwks)
          .where(sql`${jwks.expiresAt} > now() - make_interval(secs => ${SIGNING_KEY_GRACE})`);
        return rows.map(({ expiresAt, alg: _, crv: __, ...row }) => ({
          ...row,
          alg: 'EdDSA' as const,
          crv: 'Ed25519' as const,
          expiresAt: expiresAt ?? undefined,
        }));
      },
    },
  });
}

/** GET /api/auth/jwks: the keys that verify access tokens; their private parts never leave the database. */
export const jwksHandler = (auth: Auth) => async (c: Context) => {
  const { keys } = await auth.api.getJwks();
  return c.json({ keys });
};
