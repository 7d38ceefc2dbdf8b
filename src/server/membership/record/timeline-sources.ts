import type { TimelineEntry } from '../../../contract/staff/member-record.ts';
import { REVERSAL_TEXTS } from '../../../domain/billing.ts';
import type { ChangeKind, GrantKind } from '../../../domain/glasses.ts';
import { type SQL, sql } from '../../db/orm.ts';
import { returnedOfPayment } from '../../pours/payment-refunds.ts';
import { isTierDifference, tierPaidFor } from '../../pours/tier-paid-for.ts';

export interface Source {
  kind: TimelineEntry['kind'];
  from: SQL;
  at: SQL;
  id: SQL;
  /** The id of the staff member, if one did it. */
  by?: SQL;
  tier?: SQL;
  glasses?: SQL;
  until?: SQL;
  location?: SQL;
  cents?: SQL;
  currency?: SQL;
  text?: SQL;
}

/** The source of each kind of entry for one member, with rows found by an index. */
export function sourcesOf(
  customer: { id: string; user_id: string },
  { zone, currency }: { zone: string; currency: string },
): Source[] {
  const id = sql`${customer.id}::uuid`;
  const user = sql`${customer.user_id}::uuid`;
  const dayBegins = (day: SQL) => sql`(${day}::timestamp at time zone ${zone})`;
  return [
    {
      kind: 'joined',
      from: sql`memberships x where x.customer_id = ${id}`,
      // To the minute where it is known: the midnight before seems earlier than the payment.
      at: sql`case when (x.began_at at time zone ${zone})::date = x.start_date then x.began_at
                   else ${dayBegins(sql`x.start_date`)} end`,
      id: sql`x.id::text`,
      // Importing a membership is not beginning it.
      by: sql`case when x.counted_from is null then x.recorded_by_staff_id end`,
      tier: sql`coalesce((select g.tier from glass_grant g where g.membership_id = x.id and g.kind in ('period', 'advance')
                           order by g.valid_from limit 1), x.tier)`,
      text: sql`case when x.is_gift then 'A gift' when x.on_the_house then 'On the house' when x.counted_from is not null then 'From an import' end`,
    },
    {
      kind: 'ended',
      from: sql`memberships x where x.customer_id = ${id} and x.end_date is not null`,
      at: dayBegins(sql`x.end_date`),
      id: sql`x.id::text`,
      tier: sql`x.tier`,
      text: sql`case when x.is_gift then 'A gift' when x.on_the_house then 'On the house' end`,
    },
    {
      kind: 'paid',
      from: sql`billing_payment x where x.user_id = ${user}`,
      at: sql`x.created_at`,
      id: sql`x.stripe_invoice_id`,
      tier: tierPaidFor,
      cents: sql`x.amount_paid_cents`,
      currency: sql`x.currency`,
      text: sql`case when ${isTierDifference} then 'The difference for the rest of the month. ' else '' end
                || 'Invoice ' || x.stripe_invoice_id`,
    },
    {
      kind: 'returned',
      from: sql`billing_payment x cross join lateral (${returnedOfPayment}) t where x.user_id = ${user}`,
      at: sql`t.at`,
      id: sql`x.stripe_invoice_id`,
      cents: sql`t.cents`,
      currency: sql`x.currency`,
      text: sql`${reversalText(sql`t.reason`)} || '. Invoice ' || x.stripe_invoice_id`,
    },
    {
      kind: 'refunded',
      from: sql`billing_refund x
                 where x.user_id = ${user} and x.status = 'done' and x.asked_by_staff_id is not null`,
      at: sql`x.settled_at`,
      id: sql`x.id::text`,
      by: sql`x.asked_by_staff_id`,
      cents: sql`x.refunded_cents`,
      currency: sql`x.currency`,
      text: sql`x.reason`,
    },
    {
      kind: 'poured',
      from: sql`pours x where x.customer_id = ${id}`,
      at: sql`x.created_at`,
      id: sql`x.id::text`,
      by: sql`x.recorded_by_staff_id`,
      glasses: sql`x.quantity`,
      location: sql`coalesce(x.place_name, x.location)`,
      text: sql`x.notes`,
    },
    {
      kind: 'voided',
      from: sql`pour_voids x join pours p on p.id = x.pour_id where p.customer_id = ${id}`,
      at: sql`x.created_at`,
      id: sql`x.pour_id::text`,
      by: sql`x.voided_by_staff_id`,
      glasses: sql`p.quantity`,
      text: sql`x.reason`,
    },
    {
      kind: 'given',
      from: sql`given_glasses x where x.customer_id = ${id}`,
      at: sql`x.created_at`,
      id: sql`x.id::text`,
      by: sql`x.given_by_staff_id`,
      glasses: sql`x.glasses`,
      text: sql`x.reason`,
    },
    {
      kind: 'benefit_taken',
      from: sql`benefit_use x where x.customer_id = ${id}`,
      at: sql`x.created_at`,
      id: sql`x.id::text`,
      by: sql`x.recorded_by_staff_id`,
      text: sql`x.words`,
    },
    {
      kind: 'benefit_undone',
      from: sql`benefit_use x where x.customer_id = ${id} and x.voided_at is not null`,
      at: sql`x.voided_at`,
      id: sql`x.id::text`,
      by: sql`x.voided_by_staff_id`,
      text: sql`x.words || coalesce(E'\n' || x.void_reason, '')`,
    },
    ...ofDues(id, currency),
    ...ofGrants(id),
    ...ofDisputes(user),
    ...ofGifts(user),
    {
      kind: 'emailed',
      from: sql`deliveries x where x.user_id = ${user} and x.kind = 'email' and x.outcome = 'sent'`,
      at: sql`x.finished_at`,
      id: sql`x.id::text`,
      text: sql`x.subject`,
    },
    {
      kind: 'noted',
      from: sql`member_note x join member_note_version v on v.note_id = x.id
                 where x.customer_id = ${id} and x.removed_at is null
                   and not exists (select from member_note_version l where l.note_id = x.id and l.version > v.version)`,
      at: sql`x.created_at`,
      id: sql`x.id::text`,
      by: sql`v.written_by_staff_id`,
      text: sql`v.body`,
    },
  ];
}

/** The ledger of glasses, one entry per row. Glasses given by the club, or taken back, are in `given`. */
function ofGrants(customer: SQL): Source[] {
  const grants = (kind: GrantKind) => ({
    from: sql`glass_grant x where x.customer_id = ${customer} and x.kind = ${kind} and x.glasses > 0`,
    at: sql`x.valid_from`,
    id: sql`x.id::text`,
    tier: sql`x.tier`,
    glasses: sql`x.glasses`,
    until: sql`x.valid_until`,
  });
  const changes = (kinds: readonly ChangeKind[], filter = sql`true`) => ({
    from: sql`glass_change x join glass_grant g on g.id = x.grant_id
               where g.customer_id = ${customer} and x.kind in ${kinds} and ${filter}`,
    at: sql`x.created_at`,
    id: sql`x.id::text`,
    tier: sql`coalesce(x.to_tier, g.tier)`,
    glasses: sql`x.glasses`,
  });
  const isChange = sql`x.glasses <> 0`;
  return [
    { ...grants('period'), kind: 'month_granted' },
    { ...grants('advance'), kind: 'advance_granted' },
    { ...grants('rollover'), kind: 'rolled_over' },
    { ...changes(['paid'], isChange), kind: 'rest_granted' },
    { ...changes(['tier_change']), kind: 'changed_tier', at: sql`x.prorated_at` },
    { ...changes(['tier_known']), kind: 'tier_known' },
    { ...changes(['tier_glasses'], isChange), kind: 'tier_raised' },
    {
      ...changes(['returned', 'kept'], sql`x.rollable <> 0`),
      kind: 'rollable_changed',
      glasses: sql`x.rollable`,
    },
    { ...changes(['ended']), kind: 'month_end_moved', until: sql`x.valid_until` },
  ];
}

/** Payments at the venue, each void with its reason, and pauses there. */
function ofDues(customer: SQL, currency: string): Source[] {
  const payment = { id: sql`x.id::text`, cents: sql`x.amount_cents`, currency: sql`${currency}` };
  const months = (number: SQL) => sql`${number} || case when ${number} = 1 then ' month' else ' months' end`;
  return [
    {
      ...payment,
      kind: 'dues_paid',
      from: sql`dues x where x.customer_id = ${customer} and x.kind in ('payment', 'difference')`,
      at: sql`x.created_at`,
      by: sql`x.recorded_by_staff_id`,
      text: sql`case when x.kind = 'difference' then 'The difference to a dearer tier, ' else '' end || ${months(sql`x.months`)} || coalesce('. Receipt ' || x.reference, '')`,
    },
    {
      ...payment,
      kind: 'dues_voided',
      from: sql`dues x join dues_void v on v.dues_id = x.id where x.customer_id = ${customer} and x.kind in ('payment', 'difference')`,
      at: sql`v.created_at`,
      by: sql`v.voided_by_staff_id`,
      text: sql`v.reason`,
    },
    {
      kind: 'paused',
      from: sql`dues x where x.customer_id = ${customer} and x.kind = 'pause'`,
      at: sql`x.created_at`,
      id: sql`x.id::text`,
      by: sql`x.recorded_by_staff_id`,
      text: sql`${months(sql`abs(x.months)`)} || case when x.months < 0 then ' fewer' else '' end`,
    },
  ];
}

/** Disputed payments, and the bank's decisions. */
function ofDisputes(user: SQL): Source[] {
  const dispute = { id: sql`x.stripe_dispute_id`, cents: sql`x.dispute_cents`, currency: sql`x.currency` };
  const settled = (state: 'won' | 'lost') => ({
    ...dispute,
    from: sql`billing_payment x where x.user_id = ${user} and x.dispute_state = ${state}`,
    at: sql`x.dispute_settled_at`,
  });
  return [
    {
      ...dispute,
      kind: 'disputed',
      from: sql`billing_payment x where x.user_id = ${user} and x.disputed_at is not null`,
      at: sql`x.disputed_at`,
    },
    { ...settled('won'), kind: 'dispute_won' },
    { ...settled('lost'), kind: 'dispute_lost' },
  ];
}

/** Why money went back that no member of staff refunded. */
const reversalText = (reason: SQL): SQL =>
  sql`case ${reason} ${sql.join(
    Object.entries(REVERSAL_TEXTS).map(([name, text]) => sql`when ${name} then ${text}::text`),
    sql` `,
  )} else 'Refunded at Stripe, some time after the payment' end`;

/** Gift memberships that a member bought. Staff do not see the recipients. */
function ofGifts(buyer: SQL): Source[] {
  const gift = {
    id: sql`x.id::text`,
    tier: sql`x.tier`,
    text: sql`x.months || ' months'`,
  };
  return [
    {
      ...gift,
      kind: 'gift_bought',
      from: sql`gift_membership x where x.buyer_id = ${buyer} and x.paid_at is not null`,
      at: sql`x.paid_at`,
      cents: sql`x.paid_cents`,
      currency: sql`x.currency`,
    },
    {
      ...gift,
      kind: 'gift_redeemed',
      from: sql`gift_membership x where x.buyer_id = ${buyer} and x.redeemed_at is not null`,
      at: sql`x.redeemed_at`,
    },
    {
      ...gift,
      kind: 'returned',
      from: sql`gift_membership x
                 where x.buyer_id = ${buyer} and x.refunded_at is null and x.refunded_cents > 0`,
      at: sql`x.paid_at`,
      cents: sql`x.refunded_cents`,
      currency: sql`x.currency`,
      text: sql`'Part of a gift, refunded at Stripe some time after the payment'`,
    },
    {
      ...gift,
      kind: 'gift_refunded',
      from: sql`gift_membership x where x.buyer_id = ${buyer} and x.refunded_at is not null`,
      at: sql`x.refunded_at`,
      by: sql`x.refunded_by_staff_id`,
      cents: sql`x.refunded_cents`,
      currency: sql`x.currency`,
    },
  ];
}
