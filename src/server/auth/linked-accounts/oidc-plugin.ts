import {
  addOAuthServerContext,
  createAuthMiddleware,
  getOAuthState,
  getSessionFromCtx,
} from 'better-auth/api';
import type { OAuthProvider } from 'better-auth/oauth2';
import { genericOAuth } from 'better-auth/plugins';
import type { BetterAuthOptions, BetterAuthPlugin } from 'better-auth/types';
import { Refusal } from '../../../contract/refusals.ts';
import type { OidcProvider } from '../../config/oidc-providers.ts';
import { sendEmail } from '../../mail/send-email.ts';
import type { AuthServices } from '../auth-context.ts';
import { authEmails } from '../auth-emails.ts';
import { toAuthError } from '../auth-error.ts';

const PROVIDER_TIMEOUT_MS = 5_000;

type PluginInit = NonNullable<BetterAuthPlugin['init']>;
type InitContext = Parameters<PluginInit>[0];

/**
 * The auth library's OpenID Connect providers, discovered on first use: the library would fetch their discovery documents
 * at start, and permanently leave out any it cannot reach then.
 */
export function oidcPlugin(providers: OidcProvider[], requireEmailVerification: boolean) {
  return {
    id: 'linked-identities',
    init: (context) => ({
      context: {
        socialProviders: [
          ...providers.map((it) => discoverLater(it, context, requireEmailVerification)),
          ...context.socialProviders,
        ],
      },
    }),
  } satisfies BetterAuthPlugin;
}

function discoverLater(
  config: OidcProvider,
  context: InitContext,
  requireEmailVerification: boolean,
): OAuthProvider {
  let discovery: Promise<OAuthProvider> | null = null;
  const provider = () => {
    discovery ??= within(PROVIDER_TIMEOUT_MS, discover(config, context)).catch((error) => {
      discovery = null;
      throw error;
    });
    return discovery;
  };
  return {
    id: config.id,
    name: config.label,
    issuer: config.issuer,
    // No account is created or found by its email: only a linked account signs in.
    disableImplicitSignUp: true,
    options: { disableSignUp: true, requireEmailVerification },
    requiresIdTokenNonce: true,
    accountSubject: ({ profile }) => (profile as { sub?: string }).sub ?? '',
    async createAuthorizationURL(data) {
      try {
        return await (await provider()).createAuthorizationURL(data);
      } catch {
        throw toAuthError(new Refusal('PROVIDER_UNREACHABLE', { provider: config.label }));
      }
    },
    async validateAuthorizationCode(data) {
      // A code is only valid at the callback of the provider that was asked.
      const providerId = (await getOAuthState())?.serverContext?.provider;
      if (providerId !== config.id) throw new Error('The code is from another provider');
      return within(PROVIDER_TIMEOUT_MS, (await provider()).validateAuthorizationCode(data));
    },
    async getUserInfo(tokens) {
      return within(PROVIDER_TIMEOUT_MS, (await provider()).getUserInfo(tokens));
    },
  };
}

/** The provider, from its discovery document. Throws if there is none, or if it names another issuer. */
async function discover(config: OidcProvider, context: InitContext): Promise<OAuthProvider> {
  const { id: providerId, label: name, issuer, clientId, clientSecret } = config;
  const { init } = genericOAuth({
    config: [
      {
        providerId,
        name,
        clientId,
        clientSecret,
        discoveryUrl: `${issuer.replace(/(?<!\/)\/+$/, '')}/.well-known/openid-configuration`,
        scopes: ['openid'],
        pkce: true,
        requireIdTokenVerification: true,
        // The subject alone: name and email are neither requested nor trusted.
        getUserInfo: async ({ idToken }) => {
          const sub = idToken ? subjectOf(idToken) : '';
          return sub ? { sub, name: '', email: `nobody@${providerId}.invalid`, emailVerified: true } : null;
        },
      },
    ],
  });
  const { context: result } = await init({ ...context, socialProviders: [] });
  const provider = result.socialProviders.find((it) => it.id === providerId);
  if (provider?.issuer !== issuer) {
    context.logger.warn(`Provider ${providerId} has no discovery document, or one of another issuer`);
    throw new Error('No discovery document of this issuer');
  }
  return provider;
}

/** The subject of an ID token whose signature is already verified. */
function subjectOf(idToken: string): string {
  const claims: unknown = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
  const { sub } = claims as { sub?: unknown };
  return typeof sub === 'string' ? sub : '';
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const clock = setTimeout(() => reject(new Error(`No response within ${ms} ms`)), ms);
  return Promise.race([work, timeout]).finally(() => clearTimeout(clock));
}

interface LinkConfig extends Pick<AuthServices, 'db' | 'newId' | 'outbox' | 'venue'> {
  providers: OidcProvider[];
}

/** Remembers the requested provider: only its callback is accepted. */
export const rememberProvider = createAuthMiddleware(async ({ path, body }) => {
  if (path === '/link-social' || path === '/sign-in/social') {
    await addOAuthServerContext({ provider: body.provider });
  }
});

/** The provider's tokens are used once, to read the subject, and never stored. */
const WITHOUT_TOKENS = {
  accessToken: null,
  refreshToken: null,
  idToken: null,
  accessTokenExpiresAt: null,
  refreshTokenExpiresAt: null,
  scope: null,
};

type AccountHooks = NonNullable<NonNullable<BetterAuthOptions['databaseHooks']>['account']>;

/** The stored fields of a linked account, who may link it, and the email about it. */
export function linkedAccountHooks(config: LinkConfig): AccountHooks {
  const { db, newId, providers } = config;
  return {
    create: {
      before: async (account, ctx) => {
        if (account.providerId === 'credential') return;
        // A user who was signed out during the trip to the provider links nothing.
        const signedIn = ctx && (await getSessionFromCtx(ctx));
        if (signedIn?.user.id !== account.userId) return false;
        return { data: WITHOUT_TOKENS };
      },
      after: async ({ providerId, userId }) => {
        const provider = providers.find(({ id }) => id === providerId);
        if (!provider) return;
        await sendEmail(config, db, {
          user_id: userId,
          cause: `identity-linked:${newId()}`,
          email: authEmails.account_linked.about({ provider: provider.label }),
        });
      },
    },
    update: { before: async () => ({ data: WITHOUT_TOKENS }) },
  };
}
