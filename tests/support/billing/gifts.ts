import { eq, like, or } from 'drizzle-orm';
import { v7 } from 'uuid';
import type { GiftDraft } from '../../../src/server/billing/gifts/buy-gift.ts';
import { billingMailer } from '../../../src/server/billing/notices/billing-mailer.ts';
import { deliveries, gift_membership, profiles } from '../../../src/server/db/schema.ts';
import { storedEmails } from '../fixtures/emails.ts';
import type { Billing } from './drive-billing.ts';
import { openVenue, type Venue, type VenueOptions } from './venue.ts';

type Row = typeof gift_membership.$inferSelect;

export interface GiftVenue {
  venue: Venue;
  /** A venue with the product's emails, and an endpoint for webhooks. */
  billing: Billing;
  /** A user with a confirmed email and no application. */
  person(): Promise<string>;
  /** The page of a new gift: three months of select, on a card. */
  order(buyer: string, draft?: Partial<GiftDraft>): Promise<{ id: string; url: string }>;
  /** Orders a gift, pays it, and records it as paid. */
  bought(buyer: string, draft?: Partial<GiftDraft>): Promise<string>;
  code(buyer: string, id: string): Promise<string>;
  row(id: string): Promise<Row | undefined>;
  /** The unrefunded part of its payment at Stripe, in cents. */
  kept(id: string): Promise<number>;
  /** The emails about gifts, with recipient and text, the latest first. */
  emails(): Promise<{ recipient: string; subject: string; text: string | null }[]>;
}

export async function openGifts(options: VenueOptions = {}): Promise<GiftVenue> {
  const venue = await openVenue(options);
  const { db, deps, outbox, stripe } = venue;
  const billing = venue.anotherProcess({ post: billingMailer({ ...deps, outbox }) });
  venue.serveWith(billing);
  const row = async (id: string) =>
    (await db.select().from(gift_membership).where(eq(gift_membership.id, id)))[0];
  const gifts: GiftVenue = {
    venue,
    billing,
    row,
    async person() {
      const id = v7();
      const names = { name: 'Ada Guest', first_name: 'Ada', last_name: 'Guest' };
      await db.insert(profiles).values({ id, email: `${id}@example.test`, emailVerified: true, ...names });
      return id;
    },
    async order(buyer, draft = {}) {
      const id = v7();
      const { url } = await billing.gifts.buy(buyer, {
        request_id: id,
        tier: 'select',
        months: 3,
        from_name: 'Anna',
        to_name: 'Ben',
        message: 'Enjoy!',
        delivery: 'card',
        ...draft,
      });
      return { id: draft.request_id ?? id, url: url ?? '' };
    },
    async bought(buyer, draft) {
      const { id, url } = await gifts.order(buyer, draft);
      await venue.pay(url);
      await venue.delivered();
      return id;
    },
    code: async (buyer, id) => (await billing.gifts.showCode(buyer, { id, renew: false })).code ?? '',
    async kept(id) {
      const { data } = await stripe.charges.list({
        payment_intent: (await row(id))?.stripe_payment_intent_id ?? '',
      });
      return data.reduce((sum, it) => sum + it.amount - it.amount_refunded, 0);
    },
    async emails() {
      const ofGifts = or(like(deliveries.cause, 'gift%'), like(deliveries.cause, 'ended:%'));
      const emails = await storedEmails(db, ofGifts);
      return emails.reverse().map(({ recipient, subject, text = null }) => ({
        recipient: recipient ?? '',
        subject: subject ?? '',
        text,
      }));
    },
  };
  return gifts;
}
