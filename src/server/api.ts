import { implement } from '@orpc/server';
import { contract } from '../contract/index.ts';
import { Refusal } from '../domain/refusal.ts';
import * as applications from './applications.ts';
import { memberAtBar } from './bar.ts';
import * as card from './card.ts';
import type { Actor, Ctx, Services } from './context.ts';
import { toContractError } from './errors.ts';
import type { Live } from './live.ts';
import { listMembers } from './member-search.ts';
import * as members from './members.ts';
import * as pours from './pours.ts';
import * as profile from './profile.ts';
import * as reviews from './reviews.ts';
import { generateProfileSummary } from './summary.ts';
import * as tiers from './tiers.ts';
import { visitMonths } from './visits.ts';

/** What a request brings: the services, and the session's person, if any. */
export interface ApiContext extends Services {
  actor: Actor | null;
  live: Live;
  /** Brings the session's signed copy up to what the database says now. */
  renewSession(): Promise<void>;
}

// Who asks is settled before what they ask is read: a stranger learns nothing about the fields.
const os = implement(contract)
  .$context<ApiContext>()
  .$config({ initialInputValidationIndex: Number.POSITIVE_INFINITY });

/** Lets in the roles named, nobody else; a verb behind it always has an actor. */
const only = (...roles: Actor['role'][]) =>
  os.middleware(async ({ context, next }) => {
    try {
      if (!context.actor) throw new Refusal('NOT_SIGNED_IN');
      if (!roles.includes(context.actor.role)) throw new Refusal('NOT_ALLOWED');
      return await next({ context: { actor: context.actor } satisfies Pick<Ctx, 'actor'> });
    } catch (error) {
      throw toContractError(error);
    }
  });

const customer = only('customer');
const staff = only('staff');
const either = only('customer', 'staff');

/** Every procedure -> who may call it -> the verb. There is no other way in. */
export const api = os.router({
  tiers: {
    list: os.tiers.list.use(either).handler(({ context }) => tiers.listTiers(context)),
    get: os.tiers.get.use(either).handler(({ context, input }) => tiers.getTier(context, input.tier_name)),
  },
  applications: {
    mine: os.applications.mine.use(customer).handler(({ context }) => applications.myApplication(context)),
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
    me: os.members.me.use(customer).handler(({ context }) => members.me(context)),
    list: os.members.list.use(staff).handler(({ context, input }) => listMembers(context, input)),
    get: os.members.get.use(staff).handler(({ context, input }) => members.getMember(context, input.id)),
    atBar: os.members.atBar.use(staff).handler(({ context, input }) => memberAtBar(context, input.id)),
  },
  profile: {
    update: os.profile.update.use(customer).handler(async ({ context, input }) => {
      const changed = await profile.updateProfile(context, input);
      await context.renewSession();
      return changed;
    }),
    taste: os.profile.taste.use(customer).handler(({ context }) => profile.myTaste(context)),
  },
  changes: {
    mine: os.changes.mine
      .use(customer)
      .handler(async ({ context }) => context.live.changesOf(context.actor.user_id)),
  },
  pours: {
    months: os.pours.months.use(customer).handler(({ context }) => visitMonths(context)),
    mine: os.pours.mine.use(customer).handler(({ context }) => pours.myPours(context)),
    ofCustomer: os.pours.ofCustomer
      .use(staff)
      .handler(({ context, input }) => pours.poursOfCustomer(context, input.customer_id)),
    record: os.pours.record.use(staff).handler(({ context, input }) => pours.recordPour(context, input)),
    void: os.pours.void.use(staff).handler(({ context, input }) => pours.voidPour(context, input)),
  },
  functions: {
    verifySubscriptionStatus: os.functions.verifySubscriptionStatus
      .use(customer)
      .handler(({ context }) => context.billing.verify(context.actor.user_id)),
    getAvailablePours: os.functions.getAvailablePours
      .use(either)
      .handler(({ context, input }) => pours.availablePours(context, input.customer_id)),
    generateQrToken: os.functions.generateQrToken
      .use(customer)
      .handler(({ context }) => card.generateCardToken(context)),
    getSubscriptionDetails: os.functions.getSubscriptionDetails
      .use(customer)
      .handler(async ({ context }) => ({
        subscription: await context.billing.subscriptionDetails(context.actor.user_id),
      })),
    cancelSubscription: os.functions.cancelSubscription
      .use(customer)
      .handler(({ context }) => context.billing.cancelAtPeriodEnd(context.actor.user_id)),
    createCheckout: os.functions.createCheckout
      .use(customer)
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
