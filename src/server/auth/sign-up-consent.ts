import type { BetterAuthPlugin } from 'better-auth';
import { accountConsent } from '../../domain/consent.ts';
import type { Tx } from '../db/client.ts';
import { storeConsent } from '../membership/consents.ts';
import type { AuthServices } from './auth-context.ts';

/**
 * Stores the consent in the transaction that creates the account, before its credential and after its profile. sign-up.ts
 * has compared the version.
 */
export function signUpConsentPlugin(
  services: Pick<AuthServices, 'venue' | 'now' | 'newId'>,
  currentTransaction: () => Tx,
): BetterAuthPlugin {
  return {
    id: 'sign-up-consent',
    init: () => ({
      options: {
        databaseHooks: {
          account: {
            create: {
              before: async ({ userId: user_id }, call) => {
                if (call?.path !== '/sign-up/email' || !call.body?.consent_version) return;
                const words = accountConsent(services.venue);
                await storeConsent(services, currentTransaction(), {
                  user_id,
                  what: 'account',
                  act_id: user_id,
                  words,
                });
              },
            },
          },
        },
      },
    }),
  };
}
