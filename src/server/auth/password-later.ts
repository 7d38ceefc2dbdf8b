import type { BetterAuthPlugin } from 'better-auth';

/** Marks a sign-up whose account gets no password: join.ts. */
export const PASSWORD_LATER = 'password_later';

/** Stores no credential for such a sign-up. */
export const passwordLaterPlugin: BetterAuthPlugin = {
  id: 'password-later',
  init: () => ({
    options: {
      databaseHooks: {
        account: {
          create: {
            before: async (_, call) =>
              call?.path === '/sign-up/email' && call.body?.[PASSWORD_LATER] ? false : undefined,
          },
        },
      },
    },
  }),
};
