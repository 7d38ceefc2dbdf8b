import { z } from 'zod';
import { BENEFIT_UNITS } from '../../domain/membership/benefit.ts';
import { cents, DELETE, GET, id, PATCH, POST, PUT, timestamp } from '../base.ts';
import { benefitWords, tierWords } from '../forms/staff-fields.ts';
import { refusals } from '../refusals.ts';
import { text } from '../text.ts';
import { tier } from '../tiers.ts';

/** The limits on text; limits on prices and glasses are in domain/tiers.ts. */
const terms = {
  ...tierWords,
  monthly_price_cents: cents,
  /** The price of twelve months paid at once, at most that of twelve months; null for none, which is the default. */
  yearly_price_cents: cents.nullable().optional(),
  monthly_pours: z.number().int(),
  /** The number of adults who share it, 1 or 2; 1 by default. */
  people: z.number().int().optional(),
  /** The glasses a month that members may give to guests, 0 to 20; 1 by default. */
  guest_glasses: z.number().int().optional(),
  /** The unused glasses a month that roll over into the next, 0 to 100; 0 by default. */
  rollover_glasses: z.number().int().optional(),
  /**
   * The whole list of what it gives beside its pours, in order; none by default. One with the `id` of a benefit of the tier,
   * or its words and unit, is that benefit.
   */
  benefits: z
    .array(
      z.strictObject({
        id: id.optional(),
        words: benefitWords,
        every: z.enum(BENEFIT_UNITS).nullable(),
        number: z.number().int().nullable(),
      }),
    )
    .max(100)
    .optional(),
};
const tierName = text(50);

const settings = tier.omit({ monthly_price: true, yearly_price: true }).extend({
  monthly_price_cents: cents,
  yearly_price_cents: cents.nullable(),
  members: z.number().int(),
  /** Announced moves to this tier that have not taken effect. */
  moves: z.object({ count: z.number().int(), first_at: timestamp, last_at: timestamp }).nullable(),
});
export type TierSetting = z.infer<typeof settings>;

const report = z.object({
  /** Members who were notified now, by email. */
  announced: z.number().int(),
  unchanged: z.number().int(),
  /** Members who were notified of an earlier move, which stays unchanged. */
  already_announced: z.number().int(),
  /** Members with an ending membership, a payment due or a pending tier change. */
  not_now: z.number().int(),
  at_venue: z.number().int(),
});
export type MoveReport = z.infer<typeof report>;

const preview = report.extend({
  price_cents: cents,
  monthly_pours: z.number().int(),
  /** The first and last renewal at which the move would take effect; null if no member would be notified. */
  first_at: timestamp.nullable(),
  last_at: timestamp.nullable(),
});
export type MovePreview = z.infer<typeof preview>;

/** Another tier to move the members to; if absent, their own at its current price. */
const to = tierName.optional();

/** The venue's tiers, visible to all staff and changed by staff with manage_money. docs/rules/membership.md, "Tiers". */
export const tierSettings = {
  list: GET('/tier-settings', {
    summary: 'List every tier with its settings',
    description: 'Those on offer first, in the order in which they are shown.',
  }).output(z.array(settings)),
  add: POST('/tier-settings', { summary: 'Add a tier', successStatus: 201 })
    .input(z.strictObject({ tier_name: tierName, ...terms }))
    .errors(refusals('TIER_SETTING_REFUSED'))
    .output(z.array(settings)),
  update: PATCH('/tier-settings/{tier_name}', {
    summary: 'Change a tier',
    description:
      'Changes only the fields sent. A new price applies to those who join or change to the tier from now on.',
  })
    .input(z.strictObject({ tier_name: tierName, ...z.object(terms).partial().shape }))
    .errors(refusals('NOT_FOUND', 'TIER_SETTING_REFUSED'))
    .output(z.array(settings)),
  offer: PUT('/tier-settings/{tier_name}/offer', { summary: 'Take a tier off offer, or put it back' })
    .input(z.strictObject({ tier_name: tierName, on_offer: z.boolean() }))
    .errors(refusals('NOT_FOUND', 'TIER_SETTING_REFUSED'))
    .output(z.array(settings)),
  order: PUT('/tier-order', {
    summary: 'Order the tiers',
    description: 'Shows these first, in this order, and the others after them by price.',
  })
    .input(z.strictObject({ tiers: z.array(tierName).max(100) }))
    .errors(refusals('NOT_FOUND'))
    .output(z.array(settings)),
  feature: PUT('/recommended-tier', { summary: 'Recommend one tier, or none' })
    .input(z.strictObject({ tier_name: tierName.nullable() }))
    .errors(refusals('NOT_FOUND', 'TIER_SETTING_REFUSED'))
    .output(z.array(settings)),
  previewMove: GET('/tier-settings/{tier_name}/move', {
    summary: 'Preview whom a move to a new price would notify',
    description: 'And when it would take effect; nothing is changed.',
  })
    .input(z.strictObject({ tier_name: tierName, to }))
    .errors(refusals('NOT_FOUND'))
    .output(preview),
  move: POST('/tier-settings/{tier_name}/move', {
    summary: 'Announce a new price to the members of a tier',
    description:
      'Emails each of them that they will pay `price_cents` from their first renewal that is at least 30 days away. PREVIEW_EXPIRED if the tier’s price has changed since the preview, so that nobody is sent a price you did not confirm.',
  })
    .input(z.strictObject({ tier_name: tierName, to, price_cents: cents }))
    .errors(refusals('NOT_FOUND', 'PREVIEW_EXPIRED'))
    .output(report),
  withdrawMoves: DELETE('/tier-settings/{tier_name}/move', {
    summary: 'Withdraw the announced moves to a tier',
    description: 'Emails the members.',
  })
    .input(z.strictObject({ tier_name: tierName }))
    .output(z.object({ withdrawn: z.number().int() })),
};
