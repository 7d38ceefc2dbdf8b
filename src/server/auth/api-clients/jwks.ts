import { jwt } from 'better-auth/plugins';
import { sql } from 'drizzle-orm';
import { jwks } from '../../db/schema.ts';
import type { AuthServices } from '../auth-context.ts';

/** Longest life of an access token: every request asks whether its client and role still exist. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;
const DAY = 24 * 3600;
/** A key signs for this long, */
const SIGNING_KEY_SECONDS = 30 * DAY;
/** and verifies for this much longer (seconds); then a database trigger deletes it. */
const SIGNING_KEY_GRACE = DAY;

/** Signing keys: the public ones at /api/auth/jwks, the private ones encrypted with the auth library's secret. */
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
