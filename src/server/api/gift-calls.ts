import type { Billing } from '../billing/index.ts';
import type { Actor } from '../platform/actor.ts';
import { allow, os } from './authorize.ts';

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
