import { createProcedureClient, isProcedure, ORPCError } from '@orpc/server';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import type { ApiContext } from '../../../src/server/api/authorize.ts';
import { api } from '../../../src/server/api/router.ts';
import type { Db } from '../../../src/server/db/client.ts';
import { MEMBER_ROLE } from '../../../src/server/db/row-security.ts';
import { NO_FLOOD_LIMIT } from '../../../src/server/platform/flood-limit.ts';
import { ownRowsTests } from '../../support/access/own-rows-tests.ts';
import { createTestApp } from '../../support/harness/app.ts';

ownRowsTests(() => createTestApp());

/** Most of them run before a session; the others read accounts, which members cannot access. */
const LIBRARY = 'the auth library reads and writes its own tables, by the session or the secret it is given';

/** The calls of customers that are not confined to their rows, with the reason. */
const NOT_CONFINED: Record<string, string> = {
  'auth.challengeFactor': LIBRARY,
  'auth.changePassword': 'accounts are out of reach, and it counts a wrong password',
  'auth.confirmEmailChange': 'by the secret of a link: whoever follows it need not be signed in',
  'auth.createBackupCodes': LIBRARY,
  'auth.createFactor': LIBRARY,
  'auth.createPasskey': LIBRARY,
  'auth.createPasskeyOptions': LIBRARY,
  'auth.deleteFactor': LIBRARY,
  'auth.listFactors': LIBRARY,
  'auth.recover': LIBRARY,
  'auth.resendVerification': LIBRARY,
  'auth.resetPassword': LIBRARY,
  'auth.signIn': LIBRARY,
  'auth.signInWithPasskey': LIBRARY,
  'auth.signInWithPasskeyOptions': LIBRARY,
  'auth.signInWithProvider': LIBRARY,
  'auth.signOut': LIBRARY,
  'auth.signUp': LIBRARY,
  'auth.signingKeys': LIBRARY,
  'auth.verifyBackupCode': LIBRARY,
  'auth.verifyEmail': LIBRARY,
  'auth.verifyFactor': LIBRARY,
  'auth.wellKnownSigningKeys': LIBRARY,
  'barDevices.getCurrent': 'by the secret of a tablet: nobody is signed in there',
  'barDevices.switchIn': 'the same',
  'barDevices.stay': 'the same',
  'barDevices.switchOut': 'the same',
  'barSignUps.pay': 'by the secret of a link, before anyone is signed in; waits for Stripe',
  'barSignUps.readLink': 'the same',
  'setup.create': 'by the code from the log, before there is an account',
  'setup.read': 'the same',
  'team.acceptInvitation': 'by the secret of a link: whoever follows it need not be signed in',
  'team.readInvitation': 'the same',
  'tokens.create': LIBRARY,
  'tokens.getUser': 'for a sign-in that waits for a code, too; it reads the accounts of the user it found',
  'tokens.signUp': LIBRARY,
  'walletPasses.getApple': 'signs after the transaction in which it reads their rows alone',
  'walletPasses.linkGoogle': 'the same',
  'privacy.exportData': 'reads tables that no other call of theirs may, from its own list',
  'privacy.deleteAccount': 'cancels everything at Stripe, then erases rows of every table',
  'photos.saveOwn': "encodes before its transaction; the verb limits itself to the actor's",
  'profile.agree': 'writes a consent, to which no other call of theirs has a right',
  'guestGlasses.list':
    "reads the pool, which may be another member's; the verb limits itself to the actor's glasses",
  'guestGlasses.give': 'locks the pool, and counts attempts, which a rollback would undo',
  'guestGlasses.withdraw': 'members have no right to write them; the verb limits itself to the actor’s',
  'guestGlasses.read': 'by the secret of a link: a guest has no account',
  'guestGlasses.stateAge': 'the same',
  'households.get': "what two share is no member's own; the verb limits itself to the actor's household",
  'households.invite': 'the same, and it sends an email',
  'households.withdrawInvitation': 'invitations are out of reach, because they hold hashes of links',
  'households.readInvitation': 'by the secret of a link: whoever follows it need not be signed in',
  'households.acceptInvitation': "by the secret of a link, into another member's household",
  'households.end': 'changes the seat of two members, and sends an email',
  'passkeys.delete': 'counts a wrong password, which a rollback would undo',
  'pushDevices.create': 'takes a browser over from the account that had it before',
  'memberEvents.subscribe': 'a stream: it would hold its transaction for minutes; it reads no rows',
  'billing.previewTier': 'waits for Stripe',
  'billing.changeTier': 'waits for Stripe',
  'billing.cancelTierChange': 'waits for Stripe',
  'billing.openInvoice': 'waits for Stripe',
  'billing.resumeSubscription': 'waits for Stripe',
  'billing.updatePaymentMethod': 'waits for Stripe',
  'billing.getPause': 'billing reads its own copy, by the user of the session',
  'billing.pause': 'waits for Stripe',
  'billing.endPause': 'waits for Stripe',
  'gifts.buy': 'waits for Stripe',
  'gifts.list': 'billing reads its own rows, by the user of the session',
  'gifts.check': 'waits for Stripe',
  'gifts.showCode': 'the same rows, which members have no right to: they hold what others wrote',
  'gifts.resend': 'the same',
  'gifts.refund': 'waits for Stripe',
  'gifts.look': 'a gift is found by its code, whoever bought it',
  'gifts.redeem': 'the same; it makes the membership, which members have no right to',
  'billing.listPayments': 'billing reads its own copy, by the user of the session',
  'emailChange.create': 'accounts are out of reach, and it counts a wrong password',
  'linkedAccounts.authorize': LIBRARY,
  'linkedAccounts.list': 'accounts are out of reach, because they hold password hashes',
  'linkedAccounts.unlink': 'accounts are out of reach, and it sends an email',
  'apiClients.create': 'checks the password and counts attempts, which a rollback would undo',
  'functions.verifySubscriptionStatus': 'waits for Stripe',
  'functions.getSubscriptionDetails': 'billing reads its own copy, by the user of the session',
  'functions.cancelSubscription': 'waits for Stripe',
  'functions.createCheckout': 'waits for Stripe',
};

const ACTOR = '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f';

class Reached extends Error {}

/** How a procedure accesses rows when a customer calls it. */
async function wayOf(procedure: unknown): Promise<'staff only' | 'confined' | 'not confined'> {
  if (!isProcedure(procedure)) throw new Error('Only procedures are called');
  let way: 'confined' | 'not confined' = 'not confined';
  const first = (statement: SQL) => {
    const { sql: text, params } = new PgDialect().sqlToQuery(statement);
    const confines = text.includes(`set_config('role'`) && params.join() === [ACTOR, MEMBER_ROLE].join();
    way = confines ? 'confined' : 'not confined';
    throw new Reached();
  };
  const db = new Proxy({} as Db, {
    get(_, what) {
      if (what === 'transaction') {
        return (work: (tx: unknown) => unknown) => work({ execute: first });
      }
      throw new Reached();
    },
  });
  const services = new Proxy({}, { get: () => () => Promise.reject(new Reached()) });
  const context = {
    db,
    live: services,
    billing: services,
    flood: NO_FLOOD_LIMIT,
    headers: new Headers(),
    bearer: { kind: 'none' },
    staffNeedTwoFactor: false,
    authenticate: async () => ({ user_id: ACTOR, role: 'customer', session_id: ACTOR, two_factor: false }),
    recall: () => null,
  } as unknown as ApiContext;
  const client = createProcedureClient(procedure, { context });
  const outcome = await client({}).catch((error: unknown) => error);
  return outcome instanceof ORPCError && outcome.code === 'NOT_ALLOWED' ? 'staff only' : way;
}

it('a customer’s calls are confined to their rows, or are on the list with a reason', async () => {
  const found = await Promise.all(
    Object.entries(api).flatMap(([noun, verbs]) =>
      Object.entries(verbs).map(
        async ([verb, procedure]) => [`${noun}.${verb}`, await wayOf(procedure)] as const,
      ),
    ),
  );
  const named = (way: string) => found.filter((it) => it[1] === way).map(([name]) => name);
  expect(named('not confined').sort()).toEqual(Object.keys(NOT_CONFINED).sort());
  expect(named('confined')).toContain('members.getOwn');
});
