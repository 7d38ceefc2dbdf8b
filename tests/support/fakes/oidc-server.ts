import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { OidcProvider } from '../../../src/server/config/oidc-providers.ts';

export interface OidcServer {
  /** The product's configuration for this provider. */
  config: OidcProvider;
  /** The user who signs in at the provider next: the subject and the verified email. */
  person: { sub: string; email: string };
  /** Whether that user declines. */
  declines: boolean;
  /** Registers the product's callback URL. */
  allow(publicUrl: string): void;
  /** Follows the redirects at the provider as a browser would. Returns the URL that returns to the product. */
  visit(url: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts a real, local OpenID Connect provider. Every visit signs in as `person` without a form. */
export async function startOidcServer(id = 'vineyard', label = 'Vineyard ID'): Promise<OidcServer> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const client = {
    client_id: 'cellar-door',
    client_secret: 'a-secret-of-the-provider',
    redirect_uris: ['http://127.0.0.1:1/none'],
  };
  const redirects: string[] = [];
  let current: Provider | undefined;

  const started: OidcServer = {
    config: { id, label, issuer, clientId: client.client_id, clientSecret: client.client_secret },
    person: { sub: 'ada-there', email: 'ada@elsewhere.test' },
    declines: false,
    allow(publicUrl) {
      redirects.push(`${publicUrl}/api/auth/callback/${id}`);
      current = provider();
    },
    async visit(url) {
      const jar = new Map<string, string>();
      let at = url;
      // Redirects within the provider: the request, the sign-in, and back to the request.
      while (at.startsWith(issuer)) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
        for (const line of answer.headers.getSetCookie()) {
          const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
          jar.set(name, value);
        }
        const next = answer.headers.get('location');
        if (!next) throw new Error(`The provider answered ${answer.status} ${await answer.text()}`);
        at = new URL(next, at).href;
      }
      return at;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };

  function provider(): Provider {
    const made = new Provider(issuer, {
      clients: [{ ...client, redirect_uris: [...redirects] }],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'one' }] },
      cookies: { keys: ['for-tests'] },
      // Set explicitly, because the library warns about its defaults.
      ttl: { Interaction: 60, Grant: 60, Session: 60, AccessToken: 60, IdToken: 60, AuthorizationCode: 60 },
      features: { devInteractions: { enabled: false } },
      clientDefaults: { id_token_signed_response_alg: 'ES256' },
      pkce: { required: () => true },
      claims: { openid: ['sub'], email: ['email', 'email_verified'] },
      findAccount: (_, sub) => ({
        accountId: sub,
        claims: () => ({ sub, email: started.person.email, email_verified: true }),
      }),
      interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
      loadExistingGrant: async ({ oidc }) => {
        const grant = new made.Grant({
          clientId: oidc.client?.clientId ?? '',
          accountId: oidc.session?.accountId ?? '',
        });
        grant.addOIDCScope('openid email');
        await grant.save();
        return grant;
      },
    });
    made.use(async (ctx, next) => {
      if (!ctx.path.startsWith('/interaction/')) return next();
      await made.interactionFinished(
        ctx.req,
        ctx.res,
        started.declines ? { error: 'access_denied' } : { login: { accountId: started.person.sub } },
      );
      ctx.respond = false;
    });
    return made;
  }

  server.on('request', (request, response) => {
    current ??= provider();
    void current.callback()(request, response);
  });
  return started;
}
