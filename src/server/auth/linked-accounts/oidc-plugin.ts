import {
  APIError,
  addOAuthServerContext,
  createAuthMiddleware,
  getOAuthState,
  getSessionFromCtx,
} from 'better-auth/api';
import type { OAuthProvider } from 'better-auth/oauth2';
import { genericOAuth } from 'better-auth/plugins';
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth/types';
import { eq } from 'drizzle-orm';
import type { OidcProvider } from '../../config/oidc-providers.ts';
import { profiles } from '../../db/schema.ts';
import type { AuthServices } from '../context.ts';
import { accountLinkedEmail } from '../emails.ts';
import { authError, toAuthError } from '../errors.ts';
import { reauthenticate } from '../password/reauthenticate.ts';

/** How long a provider may take to answer before a person is told that it does not. */
const PATIENCE_MS = 5_000;

type PluginInit = NonNullable<BetterAuthPlugin['init']>;
type InitContext = Parameters<PluginInit>[0];

/**
 * The identity library's OpenID Connect providers, met when somebody first asks for them: the library would
 * fetch their discovery documents while the server starts, and leave out for good whoever is not reachable then.
 */
export function oidcPlugin(providers: OidcProvider[], requireEmailVerification: boolean) {
  return {
    id: 'linked-identities',
    init: (context) => ({
      context: {
        socialProviders: [
          ...providers.map((it) => metLater(it, context, requireEmailVerification)),
          ...context.socialProviders,
        ],
      },
    }),
  } satisfies BetterAuthPlugin;
}

function metLater(
  config: OidcProvider,
  context: InitContext,
  requireEmailVerification: boolean,
): OAuthProvider {
  let met: Promise<OAuthProvider> | null = null;
  const provider = () => {
    met ??= within(PATIENCE_MS, meet(config, context)).catch((error) => {
      met = null;
      throw error;
    });
    return met;
  };
  return {
    id: config.id,
    name: config.label,
    issuer: config.issuer,
    // No account is made, and none found by its mail address: only what was linked before signs in.
    disableImplicitSignUp: true,
    options: { disableSignUp: true, requireEmailVerification },
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => (profile as { sub?: string }).sub ?? '',
    async createAuthorizationURL(data) {
      try {
        return await (await provider()).createAuthorizationURL(data);
      } catch {
        throw new APIError('SERVICE_UNAVAILABLE', {
          code: 'PROVIDER_UNREACHABLE',
          message: `${config.label} does not answer at the moment. Please sign in with your password, or try again later.`,
        });
      }
    },
    async validateAuthorizationCode(data) {
      // An answer counts only at the address of the provider who was asked.
      const asked = (await getOAuthState())?.serverContext?.provider;
      if (asked !== config.id) throw new Error('The answer is of another provider');
      return within(PATIENCE_MS, (await provider()).validateAuthorizationCode(data));
    },
    async getUserInfo(tokens) {
      return within(PATIENCE_MS, (await provider()).getUserInfo(tokens));
    },
  };
}

/** The provider by its discovery document. Throws when there is none, or it is another's. */
async function meet(config: OidcProvider, context: InitContext): Promise<OAuthProvider> {
  const { id: providerId, label: name, issuer, clientId, clientSecret } = config;
  const { init } = genericOAuth({
    config: [
      {
        providerId,
        name,
        clientId,
        clientSecret,
        discoveryUrl: `${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`,
        scopes: ['openid'],
        pkce: true,
        requireIdTokenVerification: true,
        // Who it is, and nothing else: neither name nor mail address is asked for, or believed.
        getUserInfo: async ({ idToken }) => {
          const sub = idToken ? subjectOf(idToken) : '';
          return sub ? { sub, name: '', email: `nobody@${providerId}.invalid`, emailVerified: true } : null;
        },
      },
    ],
  });
  const { context: made } = await init({ ...context, socialProviders: [] });
  const provider = made.socialProviders.find((it) => it.id === providerId);
  if (provider?.issuer !== issuer) {
    context.logger.warn(`Provider ${providerId} has no discovery document, or one of another issuer`);
    throw new Error('No discovery document of this issuer');
  }
  return provider;
}

/** The subject of an ID token whose signature was verified before. */
function subjectOf(idToken: string): string {
  const claims: unknown = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
  const { sub } = claims as { sub?: unknown };
  return typeof sub === 'string' ? sub : '';
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const clock = setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms);
  return Promise.race([work, late]).finally(() => clearTimeout(clock));
}

interface LinkConfig extends Pick<AuthServices, 'db' | 'now' | 'newId' | 'outbox' | 'venue'> {
  providers: OidcProvider[];
  staffNeedTwoFactor: boolean;
}

/** Before the way to a provider: linking takes a session from the database and the password. */
export function linkGuard(config: LinkConfig) {
  return createAuthMiddleware(async (ctx) => {
    if (ctx.path !== '/link-social' && ctx.path !== '/sign-in/social') return;
    await addOAuthServerContext({ provider: ctx.body.provider });
    if (ctx.path !== '/link-social') return;
    const signedIn = await getSessionFromCtx(ctx, { disableCookieCache: true });
    if (!signedIn) throw authError('NOT_SIGNED_IN');
    const { user, session } = signedIn;
    if (config.staffNeedTwoFactor && session.role === 'staff' && !user.twoFactorEnabled) {
      throw authError('TWO_FACTOR_REQUIRED');
    }
    await reauthenticate(config, user.id, String(ctx.body.password)).catch((error: unknown) => {
      throw toAuthError(error);
    });
    const accounts = await ctx.context.internalAdapter.findAccounts(user.id);
    if (accounts.some(({ providerId }) => providerId === ctx.body.provider)) {
      throw new APIError('CONFLICT', { code: 'ALREADY_LINKED', message: 'This is linked already.' });
    }
  });
}

/** The provider's tokens serve once, to learn who it is, and are never stored. */
const WITHOUT_TOKENS = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
  scope: null,
};

type AccountHooks = NonNullable<NonNullable<BetterAuthOptions['databaseHooks']>['account']>;

/** What is kept of a linked identity, by whom, and the letter about it. */
export function linkedAccountHooks({ db, newId, outbox, venue, providers }: LinkConfig): AccountHooks {
  return {
    create: {
      before: async (account, ctx) => {
        if (account.providerId === 'credential') return;
        // Whoever was signed out on the way to the provider and back links nothing any more.
        const signedIn = ctx && (await getSessionFromCtx(ctx, { disableCookieCache: true }));
        if (signedIn?.user.id !== account.userId) return false;
        return { data: WITHOUT_TOKENS };
      },
      after: async ({ providerId, userId }) => {
        const provider = providers.find(({ id }) => id === providerId);
        if (!provider) return;
        const [person] = await db
          .select({ email: profiles.email, first_name: profiles.first_name })
          .from(profiles)
          .where(eq(profiles.id, userId));
        if (!person) return;
        const words = accountLinkedEmail(venue, person.first_name, provider.label);
        await outbox.post(db, `identity-linked:${newId()}`, { user_id: userId, email: person.email }, words);
      },
    },
    update: { before: async () => ({ data: WITHOUT_TOKENS }) },
  };
}
