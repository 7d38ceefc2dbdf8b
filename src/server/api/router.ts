import { implement } from '@orpc/server';
import { contract } from '../../contract/index.ts';
import { Refusal } from '../../domain/refusal.ts';
import * as apiClients from '../auth/api-clients/api-clients.ts';
import type { LibraryContext } from '../auth/library-call.ts';
import { authorizeLink, listLinkedAccounts, unlinkAccount } from '../auth/linked-accounts/linked-accounts.ts';
import * as passkeys from '../auth/passkeys/passkeys.ts';
import * as passkeySignIn from '../auth/passkeys/sign-in.ts';
import * as auth from '../auth/procedures.ts';
import * as sessions from '../auth/sessions/sessions.ts';
import * as factors from '../auth/two-factor/factors.ts';
import * as card from '../card/card-token.ts';
import type { Actor, Services } from '../context.ts';
import { asMember, NO_DATABASE } from '../db/row-security.ts';
import * as reviews from '../membership/application-reviews.ts';
import * as applications from '../membership/applications.ts';
import { listMembers } from '../membership/member-search.ts';
import * as members from '../membership/members.ts';
import * as profile from '../membership/profile.ts';
import * as tiers from '../membership/tiers.ts';
import { getBarCard } from '../pours/bar-card.ts';
import * as pours from '../pours/pours.ts';
import { listVisitMonths } from '../pours/visits.ts';
import { deleteAccount } from '../privacy/erasure.ts';
import { exportPersonalData } from '../privacy/export.ts';
import type { MemberEvents } from '../realtime/member-events.ts';
import { generateProfileSummary } from '../summary/summary.ts';
import { toContractError } from './errors.ts';

/** The session's person, and which of their sessions it is. */
interface SignedInActor extends Actor {
  session_id: string;
  two_factor: boolean;
  /** An access token's: it has the person's role, and no say over their account. */
  machine: boolean;
}

/** Believed for a minute, or asked for now: docs/decisions/0007-sessions.md. */
type Source = 'copy' | 'database';

/** What a request brings: the services, and the way to learn who asks. */
export interface ApiContext extends Services, Omit<LibraryContext, 'log'> {
  live: MemberEvents;
  /** From the database it also renews the session's signed copy. */
  whoAsks(from: Source): Promise<SignedInActor | null>;
  /** STAFF_REQUIRE_TWO_FACTOR. */
  staffNeedTwoFactor: boolean;
}

/** True for staff who must set up their second factor before anything else. */
export const mustEnrollTwoFactor = (
  who: Pick<SignedInActor, 'role' | 'two_factor'>,
  needed: boolean,
): boolean => needed && who.role === 'staff' && !who.two_factor;

// Who asks is settled before what they ask is read: a stranger learns nothing about the fields.
const os = implement(contract)
  .$context<ApiContext>()
  .$config({ initialInputValidationIndex: Number.POSITIVE_INFINITY });

/**
 * What a customer's verb reaches in the database: docs/decisions/0012-row-security.md.
 * own: their rows alone, in a transaction, so it must wait for nothing else; none: nothing, as what waits for
 * Stripe; all: everything, its own filters being all there is. Staff's verbs reach everything, but for none.
 */
type Reach = 'own' | 'none' | 'all';

/** Lets in the roles named, nobody else; a verb behind it always has an actor. */
const only = (
  roles: Actor['role'][],
  from: Source,
  {
    enrolled = true,
    machine = true,
    reach = 'own',
  }: { enrolled?: boolean; machine?: boolean; reach?: Reach } = {},
) =>
  os.middleware(async ({ context, next }) => {
    try {
      const actor = await context.whoAsks(from);
      if (!actor) throw new Refusal('NOT_SIGNED_IN');
      if (!roles.includes(actor.role) || (actor.machine && !machine)) throw new Refusal('NOT_ALLOWED');
      if (enrolled && mustEnrollTwoFactor(actor, context.staffNeedTwoFactor)) {
        throw new Refusal('TWO_FACTOR_REQUIRED');
      }
      if (reach === 'none') return await next({ context: { actor, db: NO_DATABASE } });
      const { db } = context;
      if (reach === 'all' || actor.role === 'staff') return await next({ context: { actor, db } });
      return await asMember(db, actor.user_id, async (own) => next({ context: { actor, db: own } }));
    } catch (error) {
      throw toContractError(error);
    }
  });

/** Lets everybody in; the verb itself finds out who asks, where it must know. */
const open = os.middleware(async ({ next }) => {
  try {
    return await next();
  } catch (error) {
    throw toContractError(error);
  }
});

/** Renews the signed copy of the session, once what changed the person is committed. */
const renewing = os.middleware(async ({ context, next }) => {
  const result = await next();
  await context.whoAsks('database');
  return result;
});

const customer = only(['customer'], 'copy');
const person = only(['customer'], 'copy', { machine: false });
const either = only(['customer', 'staff'], 'copy');
// Whoever was signed out elsewhere is out at once where it matters: all that staff do, money, and the account.
const staff = only(['staff'], 'database');
const owner = only(['customer', 'staff'], 'database', { enrolled: false, machine: false });
// What asks for the password again counts the tries, also when it refuses.
const holder = only(['customer', 'staff'], 'database', { enrolled: false, machine: false, reach: 'all' });
const keeper = only(['customer', 'staff'], 'database', { machine: false });
// What makes or takes away a way in reads what members have no right to.
const keyHolder = only(['customer', 'staff'], 'database', { machine: false, reach: 'all' });
// Ends at Stripe what the person has there, and takes rows of every table.
const leaver = only(['customer'], 'database', { machine: false, reach: 'all' });
const subscriber = only(['customer'], 'copy', { reach: 'none' });
const payer = only(['customer'], 'database', { reach: 'none' });

/** Every procedure -> who may call it -> the verb. There is no other way in. */
export const api = os.router({
  auth: {
    signUp: os.auth.signUp.use(open).handler(({ context, input }) => auth.signUp(context, input)),
    signIn: os.auth.signIn.use(open).handler(({ context, input }) => auth.signIn(context, input)),
    signInWithProvider: os.auth.signInWithProvider
      .use(open)
      .handler(({ context, input }) => auth.signInWithProvider(context, input)),
    signOut: os.auth.signOut.use(open).handler(({ context }) => auth.signOut(context)),
    recover: os.auth.recover.use(open).handler(({ context, input }) => auth.recover(context, input)),
    resetPassword: os.auth.resetPassword
      .use(open)
      .handler(({ context, input }) => auth.resetPassword(context, input)),
    verifyEmail: os.auth.verifyEmail
      .use(open)
      .handler(({ context, input }) => auth.verifyEmail(context, input)),
    resendVerification: os.auth.resendVerification
      .use(open)
      .handler(({ context, input }) => auth.resendVerification(context, input)),
    listFactors: os.auth.listFactors.use(open).handler(({ context }) => factors.listFactors(context)),
    createFactor: os.auth.createFactor
      .use(holder)
      .handler(({ context, input }) => factors.createFactor(context, input)),
    challengeFactor: os.auth.challengeFactor
      .use(open)
      .handler(({ context, input }) => factors.challengeFactor(context, input)),
    verifyFactor: os.auth.verifyFactor
      .use(open)
      .handler(({ context, input }) => factors.verifyFactor(context, input)),
    deleteFactor: os.auth.deleteFactor
      .use(holder)
      .handler(({ context, input }) => factors.deleteFactor(context, input)),
    createBackupCodes: os.auth.createBackupCodes
      .use(holder)
      .handler(({ context, input }) => factors.createBackupCodes(context, input)),
    verifyBackupCode: os.auth.verifyBackupCode
      .use(open)
      .handler(({ context, input }) => factors.verifyBackupCode(context, input)),
    createPasskeyOptions: os.auth.createPasskeyOptions
      .use(holder)
      .handler(({ context, input }) => passkeySignIn.createPasskeyOptions(context, input)),
    createPasskey: os.auth.createPasskey
      .use(holder)
      .handler(({ context, input }) => passkeySignIn.createPasskey(context, input)),
    signInWithPasskeyOptions: os.auth.signInWithPasskeyOptions
      .use(open)
      .handler(({ context }) => passkeySignIn.signInWithPasskeyOptions(context)),
    signInWithPasskey: os.auth.signInWithPasskey
      .use(open)
      .handler(({ context, input }) => passkeySignIn.signInWithPasskey(context, input)),
    signingKeys: os.auth.signingKeys.use(open).handler(({ context }) => auth.listSigningKeys(context)),
    wellKnownSigningKeys: os.auth.wellKnownSigningKeys
      .use(open)
      .handler(({ context }) => auth.listSigningKeys(context)),
  },
  tiers: {
    list: os.tiers.list.use(either).handler(({ context }) => tiers.listTiers(context)),
    get: os.tiers.get.use(either).handler(({ context, input }) => tiers.getTier(context, input.tier_name)),
  },
  applications: {
    getOwn: os.applications.getOwn
      .use(customer)
      .handler(({ context }) => applications.getOwnApplication(context)),
    save: os.applications.save
      .use(customer)
      .handler(({ context, input }) => applications.saveApplication(context, input)),
    list: os.applications.list
      .use(staff)
      .handler(({ context, input }) => reviews.listApplications(context, input)),
    get: os.applications.get
      .use(staff)
      .handler(({ context, input }) => reviews.getApplication(context, input.id)),
    approve: os.applications.approve
      .use(staff)
      .handler(({ context, input }) =>
        reviews.approveApplication(context, input.id, input.toast_reference_number),
      ),
    reject: os.applications.reject
      .use(staff)
      .handler(({ context, input }) => reviews.rejectApplication(context, input.id, input.notes)),
  },
  members: {
    getOwn: os.members.getOwn.use(customer).handler(({ context }) => members.getOwnMembership(context)),
    list: os.members.list.use(staff).handler(({ context, input }) => listMembers(context, input)),
    get: os.members.get.use(staff).handler(({ context, input }) => members.getMember(context, input.id)),
    getBarCard: os.members.getBarCard
      .use(staff)
      .handler(({ context, input }) => getBarCard(context, input.id)),
  },
  profile: {
    update: os.profile.update
      .use(renewing)
      .use(person)
      .handler(({ context, input }) => profile.updateProfile(context, input)),
    getTaste: os.profile.getTaste.use(customer).handler(({ context }) => profile.getTaste(context)),
  },
  memberEvents: {
    subscribe: os.memberEvents.subscribe
      .use(subscriber)
      .handler(async ({ context }) => context.live.changesOf(context.actor.user_id)),
  },
  pours: {
    listMonths: os.pours.listMonths.use(customer).handler(({ context }) => listVisitMonths(context)),
    list: os.pours.list.use(customer).handler(({ context }) => pours.listOwnPours(context)),
    listForCustomer: os.pours.listForCustomer
      .use(staff)
      .handler(({ context, input }) => pours.listCustomerPours(context, input.customer_id)),
    record: os.pours.record.use(staff).handler(({ context, input }) => pours.recordPour(context, input)),
    void: os.pours.void.use(staff).handler(({ context, input }) => pours.voidPour(context, input)),
  },
  sessions: {
    list: os.sessions.list
      .use(owner)
      .handler(({ context }) => sessions.listSessions(context, context.actor.session_id)),
    delete: os.sessions.delete
      .use(owner)
      .handler(({ context, input }) => sessions.deleteSession(context, context.actor.session_id, input.id)),
    deleteOthers: os.sessions.deleteOthers
      .use(owner)
      .handler(({ context }) => sessions.deleteOtherSessions(context, context.actor.session_id)),
  },
  linkedAccounts: {
    list: os.linkedAccounts.list.use(keyHolder).handler(({ context }) => listLinkedAccounts(context)),
    authorize: os.linkedAccounts.authorize
      .use(keyHolder)
      .handler(({ context, input }) => authorizeLink(context, input)),
    unlink: os.linkedAccounts.unlink
      .use(keyHolder)
      .handler(({ context, input }) => unlinkAccount(context, input)),
  },
  apiClients: {
    list: os.apiClients.list.use(keeper).handler(({ context }) => apiClients.listApiClients(context)),
    create: os.apiClients.create
      .use(keyHolder)
      .handler(({ context, input }) => apiClients.createApiClient(context, input)),
    delete: os.apiClients.delete
      .use(keeper)
      .handler(({ context, input }) => apiClients.deleteApiClient(context, input.id)),
  },
  passkeys: {
    list: os.passkeys.list.use(owner).handler(({ context }) => passkeys.listPasskeys(context)),
    rename: os.passkeys.rename
      .use(owner)
      .handler(({ context, input }) => passkeys.renamePasskey(context, input.id, input.name)),
    delete: os.passkeys.delete
      .use(holder)
      .handler(({ context, input }) => passkeys.deletePasskey(context, input.id, input.password)),
  },
  billing: {
    previewTier: os.billing.previewTier
      .use(payer)
      .handler(({ context, input }) => context.billing.previewTier(context.actor.user_id, input.tier)),
    changeTier: os.billing.changeTier.use(payer).handler(async ({ context, input }) => ({
      subscription: await context.billing.changeTier(context.actor.user_id, input.preview_id),
    })),
    cancelTierChange: os.billing.cancelTierChange.use(payer).handler(async ({ context }) => ({
      subscription: await context.billing.keepTier(context.actor.user_id),
    })),
    resumeSubscription: os.billing.resumeSubscription.use(payer).handler(async ({ context }) => ({
      subscription: await context.billing.resume(context.actor.user_id),
    })),
    updatePaymentMethod: os.billing.updatePaymentMethod
      .use(payer)
      .handler(({ context }) => context.billing.openCardPage(context.actor.user_id)),
    openInvoice: os.billing.openInvoice
      .use(payer)
      .handler(({ context, input }) =>
        context.billing.openInvoicePage(context.actor.user_id, input.invoice_id),
      ),
    listPayments: os.billing.listPayments
      .use(subscriber)
      .handler(({ context }) => context.billing.paymentsOf(context.actor.user_id)),
  },
  privacy: {
    exportData: os.privacy.exportData.use(keyHolder).handler(({ context }) => exportPersonalData(context)),
    deleteAccount: os.privacy.deleteAccount.use(leaver).handler(async ({ context, input }) => {
      const removed = await deleteAccount(context, input.password);
      // Takes the cookies of the session that is no more.
      await context.whoAsks('database');
      return removed;
    }),
  },
  functions: {
    verifySubscriptionStatus: os.functions.verifySubscriptionStatus
      .use(subscriber)
      .handler(({ context }) => context.billing.verify(context.actor.user_id)),
    getAvailablePours: os.functions.getAvailablePours
      .use(either)
      .handler(({ context, input }) => pours.availablePours(context, input.customer_id)),
    generateQrToken: os.functions.generateQrToken
      .use(customer)
      .handler(({ context }) => card.generateCardToken(context)),
    getSubscriptionDetails: os.functions.getSubscriptionDetails
      .use(subscriber)
      .handler(async ({ context }) => ({
        subscription: await context.billing.subscriptionDetails(context.actor.user_id),
      })),
    cancelSubscription: os.functions.cancelSubscription
      .use(payer)
      .handler(({ context }) => context.billing.cancelAtPeriodEnd(context.actor.user_id)),
    createCheckout: os.functions.createCheckout
      .use(payer)
      .handler(({ context, input: { userId, ...choice } }) => {
        // The user is the session's; a body that names another is refused, not corrected.
        if (userId && userId !== context.actor.user_id) throw new Refusal('NOT_ALLOWED');
        return context.billing.createCheckout(context.actor.user_id, choice);
      }),
    verifyQrToken: os.functions.verifyQrToken
      .use(staff)
      .handler(({ context, input }) => card.verifyCardToken(context, input.token)),
    generateProfileSummary: os.functions.generateProfileSummary
      .use(staff)
      .handler(({ context, input }) => generateProfileSummary(context, input)),
  },
});
