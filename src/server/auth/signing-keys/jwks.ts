import { jwt } from 'better-auth/plugins';
import { sql } from 'drizzle-orm';
import { USER_AUDIENCE } from '../../../contract/auth/auth-user.ts';
import { jwks } from '../../db/schema.ts';
import type { AuthServices } from '../auth-context.ts';

const DAY = 24 * 3600;
/** A key signs for this long, */
const SIGNING_KEY_SECONDS = 30 * DAY;
/** and verifies for this much longer (seconds); then a database trigger deletes it. */
const SIGNING_KEY_GRACE = DAY;

/** P-256, as the clients of other makers verify it in a browser, too. */
const ALG = 'ES256';

/** What a token is for. Its audience says so, and a token of one kind never passes for another. */
export type TokenKind = 'api client' | 'session' | 'second step';

/** The audience of each kind of token. publicUrl: without a trailing slash. */
export const audiences = (publicUrl: string): Record<TokenKind, string> => ({
  'api client': `${publicUrl}/api`,
  session: USER_AUDIENCE,
  // Other services of the venue must not take a user who has not passed their second step for signed in.
  'second step': 'second-step',
});

/** Signing keys: the public ones at /api/auth/jwks, the private ones encrypted with the auth library's secret. */
export function jwksPlugin(db: AuthServices['db'], publicUrl: string) {
  return jwt({
    disableSettingJwtHeader: true,
    jwks: {
      keyPairConfig: { alg: ALG },
      rotationInterval: SIGNING_KEY_SECONDS,
      gracePeriod: SIGNING_KEY_GRACE,
    },
    jwt: { issuer: publicUrl, audience: Object.values(audiences(publicUrl)) },
    adapter: {
      // The library would verify with every key it ever had, by whichever algorithm.
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
  });
}
