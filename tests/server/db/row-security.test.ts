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

/** These calls run before there is a session, or read accounts, which members cannot access. */
const LIBRARY = 'the auth library reads and writes its own tables, by the session or secret it is given';
const ACCOUNTS = 'reads accounts, which members cannot access because they hold password hashes';
const ATTEMPTS = 'counts wrong passwords, which a rollback would undo';
const LINK = 'finds its row by the secret of a link; the caller need not be signed in';
const TABLET = 'finds its row by the secret of a tablet, where nobody is signed in';
const STRIPE = 'waits for Stripe, and would hold its transaction meanwhile';
const BILLING = 'billing reads its own tables, and limits itself to the user of the session';

/** Calls open to customers that do not switch to the role of members, each with the reason. */
const NOT_CONFINED: Record<string, string> = {
  'apiClients.create': ATTEMPTS,
  'auth.challengeFactor': LIBRARY,
  'auth.changePassword': ATTEMPTS,
  'auth.choosePassword': ACCOUNTS,
  'auth.confirmEmailChange': LINK,
  'auth.createBackupCodes': LIBRARY,
  'auth.createFactor': LIBRARY,
  'auth.createPasskey': LIBRARY,
  'auth.createPasskeyOptions': LIBRARY,
  'auth.deleteFactor': LIBRARY,
  'auth.join': LIBRARY,
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
  'barDevices.getCurrent': TABLET,
  'barDevices.stay': TABLET,
  'barDevices.switchIn': TABLET,
  'barDevices.switchOut': TABLET,
  'barSignUps.pay': LINK,
  'barSignUps.readLink': LINK,
  'billing.buyTierUp': STRIPE,
  'billing.buyYear': STRIPE,
  'billing.cancelTierChange': STRIPE,
  'billing.changeTier': STRIPE,
  'billing.endPause': STRIPE,
  'billing.extendPause': STRIPE,
  'billing.getPause': BILLING,
  'billing.listPayments': BILLING,
  'billing.openInvoice': STRIPE,
  'billing.payByCard': STRIPE,
  'billing.pause': STRIPE,
  'billing.previewTier': STRIPE,
  'billing.resumeSubscription': STRIPE,
  'billing.updatePaymentMethod': STRIPE,
  'emailChange.create': ATTEMPTS,
  'functions.cancelSubscription': STRIPE,
  'functions.createCheckout': STRIPE,
  'functions.getSubscriptionDetails': BILLING,
  'functions.verifySubscriptionStatus': STRIPE,
  'gifts.buy': STRIPE,
  'gifts.check': STRIPE,
  'gifts.list': BILLING,
  'gifts.look': 'finds a gift by its code, whoever bought it',
  'gifts.redeem': 'finds a gift by its code, and writes the membership, which members may not write',
  'gifts.refund': STRIPE,
  'gifts.resend': BILLING,
  'gifts.showCode': BILLING,
  'guestGlasses.give':
    'locks a balance that may be another member’s, and counts attempts, which a rollback would undo',
  'guestGlasses.list':
    'reads a balance that may be another member’s, and limits itself to the actor’s glasses',
  'guestGlasses.read': LINK,
  'guestGlasses.renewLink':
    'writes guest glasses, which members may not write, and limits itself to the actor’s',
  'guestGlasses.stateAge': LINK,
  'guestGlasses.withdraw':
    'writes guest glasses, which members may not write, and limits itself to the actor’s',
  'households.acceptInvitation': LINK,
  'households.end': 'changes the seats of two members, and sends an email',
  'households.get': 'reads rows of two members, and limits itself to the actor’s household',
  'households.invite':
    'reads rows of two members, limits itself to the actor’s household, and sends an email',
  'households.readInvitation': LINK,
  'households.withdrawInvitation': 'writes invitations, which members cannot access because they hold hashes',
  'linkedAccounts.authorize': LIBRARY,
  'linkedAccounts.list': ACCOUNTS,
  'linkedAccounts.unlink': ACCOUNTS,
  'memberEvents.subscribe': 'is a stream, which would hold its transaction for minutes; it reads no rows',
  'outreach.unsubscribe': LINK,
  'passkeys.delete': ATTEMPTS,
  'photos.saveOwn': 'encodes the picture before its transaction, and limits itself to the actor’s',
  'privacy.deleteAccount': 'cancels everything at Stripe, then erases rows of every table',
  'privacy.exportData': 'reads tables that no other call of a member may read, from its own list',
  'profile.agree': 'writes a consent, which members may not write',
  'pushDevices.create': 'takes a browser over from the account that had it before',
  'setup.create': 'takes the code from the log, before there is an account',
  'setup.read': 'takes the code from the log, before there is an account',
  'team.acceptInvitation': LINK,
  'team.readInvitation': LINK,
  'tiers.getOnOffer': 'shows what the club’s page shows anyone',
  'tokens.create': LIBRARY,
  'tokens.getUser': 'also serves a sign-in that still waits for a code, and reads the accounts of its user',
  'tokens.signUp': LIBRARY,
  'walletPasses.getApple': 'reads its rows in a confined transaction of its own, and signs after it',
  'walletPasses.linkGoogle': 'reads its rows in a confined transaction of its own, and signs after it',
};

const ACTOR = '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f';

/** Thrown at the first access, so that no call does anything. */
class Reached extends Error {}

/**
 * How a procedure accesses rows when a customer calls it. confined: the first statement of its transaction switches to the
 * role of members, with the caller as the user whose rows are visible.
 */
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

it('every call open to customers switches to the role of members first, or is on the list with a reason', async () => {
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
