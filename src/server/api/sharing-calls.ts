import type { Billing } from '../billing/index.ts';
import { getHousehold } from '../membership/household/household.ts';
import * as invitations from '../membership/household/household-invitations.ts';
import { endSharing } from '../membership/household/seats.ts';
import type { Actor } from '../platform/actor.ts';
import * as guestGlasses from '../pours/guest-glasses.ts';
import { allow, everyone, os, verb } from './authorize.ts';

/** The calls by which members share their glasses, as rows of the router. */
export const sharingCalls = {
  households: {
    get: os.households.get.use(allow.household).handler(verb(getHousehold)),
    invite: os.households.invite.use(allow.household).handler(verb(invitations.inviteToHousehold)),
    withdrawInvitation: os.households.withdrawInvitation
      .use(allow.household)
      .handler(verb(invitations.withdrawHouseholdInvitation)),
    readInvitation: os.households.readInvitation
      .use(everyone)
      .handler(verb(invitations.readHouseholdInvitation)),
    acceptInvitation: os.households.acceptInvitation
      .use(allow.household)
      .handler(verb(invitations.acceptHouseholdInvitation)),
    end: os.households.end.use(allow.household).handler(verb(endSharing)),
  },
  guestGlasses: {
    list: os.guestGlasses.list.use(allow.household).handler(verb(guestGlasses.listGuestGlasses)),
    give: os.guestGlasses.give.use(allow.household).handler(verb(guestGlasses.giveGuestGlass)),
    withdraw: os.guestGlasses.withdraw.use(allow.household).handler(verb(guestGlasses.withdrawGuestGlass)),
    read: os.guestGlasses.read.use(everyone).handler(verb(guestGlasses.readGuestGlass)),
    stateAge: os.guestGlasses.stateAge.use(everyone).handler(verb(guestGlasses.stateGuestAge)),
  },
};

interface Ctx {
  actor: Actor;
  billing: Billing;
}

type Gifts = Billing['gifts'];

/** A verb of the buyer, or of who redeems: the user comes from the session. */
const own =
  <Input, Output>(verb: (gifts: Gifts) => (user: string, input: Input) => Output) =>
  ({ context: { billing, actor }, input }: { context: Ctx; input: Input }) =>
    verb(billing.gifts)(actor.user_id, input);

/** The calls about gifts, as rows of the router. */
export const giftCalls = {
  buy: os.gifts.buy.use(allow.payment).handler(own((gifts) => gifts.buy)),
  list: os.gifts.list.use(allow.payment).handler(own((gifts) => gifts.list)),
  check: os.gifts.check.use(allow.payment).handler(own((gifts) => gifts.check)),
  showCode: os.gifts.showCode.use(allow.payment).handler(own((gifts) => gifts.showCode)),
  resend: os.gifts.resend.use(allow.payment).handler(own((gifts) => gifts.resend)),
  refund: os.gifts.refund.use(allow.payment).handler(own((gifts) => gifts.refund)),
  look: os.gifts.look.use(allow.payment).handler(own((gifts) => gifts.look)),
  redeem: os.gifts.redeem.use(allow.payment).handler(own((gifts) => gifts.redeem)),
  listForMember: os.gifts.listForMember
    .use(allow.moveMoney)
    .handler(({ context, input }) => context.billing.gifts.listForMember(input)),
  refundForMember: os.gifts.refundForMember
    .use(allow.moveMoney)
    .handler(({ context, input }) => context.billing.gifts.refundForMember(context.actor, input)),
};
