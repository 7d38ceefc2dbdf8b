import { type SQL, sql } from '../db/orm.ts';

/** The card period that a row `x` of billing_payment fell into. The first may be paid a moment before it begins. */
const PERIOD = sql`glass_grant g join memberships m on m.id = g.membership_id
  where m.stripe_subscription_id = x.stripe_subscription_id and g.kind in ('period', 'advance')
    and g.valid_from <= x.created_at + interval '1 hour'
  order by g.valid_from desc limit 1`;

/** Whether a row `x` of billing_payment is no month's charge, which comes first, but the difference to a larger tier. */
export const isTierDifference: SQL<boolean> = sql`exists (
  select from (select g.id, g.valid_from from ${PERIOD}) g
   where exists (select from billing_payment e
                  where e.stripe_subscription_id = x.stripe_subscription_id and e.created_at < x.created_at
                    and e.created_at >= g.valid_from - interval '1 hour')
     and exists (select from glass_change c where c.grant_id = g.id and c.kind = 'tier_change'))`;

/**
 * The tier that a row `x` of billing_payment paid for, as it was then: that of its month, or of the change it is the
 * difference for; of a year, or of the difference to a dearer tier in one, the tier that it was paid for. Null if the payment
 * belongs to no month.
 */
export const tierPaidFor: SQL<string | null> = sql`coalesce((
  select coalesce(
           case when ${isTierDifference} then
             (select c.to_tier from glass_change c where c.grant_id = g.id and c.kind = 'tier_change'
               order by c.prorated_at <= x.created_at desc, abs(extract(epoch from c.prorated_at - x.created_at)) limit 1)
           end,
           (select c.to_tier from glass_change c
             where c.grant_id = g.id and c.kind <> 'tier_change' and c.to_tier is not null
             order by c.created_at desc, c.id desc limit 1),
           g.tier)
    from ${PERIOD}),
  (select coalesce(d.tier, m.tier) from dues d join memberships m on m.id = d.membership_id where d.id = x.dues_id))`;
