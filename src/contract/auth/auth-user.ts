import { z } from 'zod';
import { epochSeconds, id, timestamp } from '../base.ts';

/** The audience of tokens and users, as `@supabase/auth-js` expects it. */
export const USER_AUDIENCE = 'authenticated';

const identity = z.object({
  identity_id: id,
  id,
  user_id: id,
  /** 'email' for the password, else the provider's id. */
  provider: z.string(),
  /** sub: the id at the provider, or the user's own id for the password. */
  identity_data: z.object({
    sub: z.string(),
    email: z.string().optional(),
    email_verified: z.boolean().optional(),
  }),
  /** The user's: sign-ins are not recorded by identity. */
  last_sign_in_at: timestamp.optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

/** The signed-in user, as `@supabase/auth-js` reads it. While a sign-in waits for a code: id, email and factors only. */
export const authUser = z.object({
  id,
  aud: z.literal(USER_AUDIENCE),
  role: z.enum(['customer', 'staff']),
  email: z.string(),
  phone: z.string().optional(),
  /**
   * Present once the email counts as confirmed: by a link, or where this club asks for none. The time is that of the sign-up,
   * as the link's is not stored.
   */
  email_confirmed_at: timestamp.optional(),
  confirmed_at: timestamp.optional(),
  last_sign_in_at: timestamp.optional(),
  app_metadata: z.object({ provider: z.string(), providers: z.array(z.string()) }),
  user_metadata: z.object({
    first_name: z.string().optional(),
    last_name: z.string().optional(),
    phone: z.string().optional(),
    email_verified: z.boolean().optional(),
  }),
  identities: z.array(identity),
  factors: z.array(
    z.object({
      id,
      factor_type: z.literal('totp'),
      /** Unverified until a first correct code from the app. */
      status: z.enum(['verified', 'unverified']),
      created_at: timestamp,
      updated_at: timestamp,
    }),
  ),
  is_anonymous: z.literal(false),
  created_at: timestamp,
  updated_at: timestamp,
});
export type AuthUser = z.infer<typeof authUser>;

/** The session of an app. While a sign-in waits for a code, the access token is valid for that only. */
export const tokenSession = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  /** Seconds. */
  expires_in: z.number().int(),
  expires_at: epochSeconds,
  /** Valid once. */
  refresh_token: z.string(),
  user: authUser,
});
export type TokenSession = z.infer<typeof tokenSession>;
