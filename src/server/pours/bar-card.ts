import type { BarCard } from '../../contract/members.ts';
import { Refusal } from '../../contract/refusals.ts';
import { type LocalDate, localDate, startOfDay } from '../../domain/calendar.ts';
import { isHundredthNext } from '../../domain/membership/celebration.ts';
import { duesPrices, duesState, YEAR_MONTHS } from '../../domain/membership/dues.ts';
import { giftLastDay } from '../../domain/membership/gift.ts';
import { SERVICE_HOURS, type ServedPour } from '../../domain/membership/service.ts';
import { barStanding, endsAt, poursReturnAt, type SubscriptionState } from '../../domain/standing.ts';
import { tierLabel } from '../../domain/tiers.ts';
import { sql } from '../db/orm.ts';
import { preparedStatement } from '../db/statements/prepared-statements.ts';
import { isoInstant } from '../platform/sql-text.ts';
import { grantsFor } from './allowance.ts';
import { type BenefitFacts, barBenefits } from './benefits.ts';
import { celebratedToday } from './celebrations.ts';
import { bankPaymentOf } from './pending-bank-payment.ts';
import type { PourContext } from './pour-context.ts';

/** A row of the statement below; instants are text in UTC, because the two drivers parse them differently. */
interface Row {
  id: string;
  user_id: string;
  first_name: string;
  last_name: string;
  photo: string | null;
  tier: string;
  tier_label: string | null;
  allergies: string | null;
  status: string;
  ends_on: string | null;
  /** A card follows on `ends_on`. */
  goes_on: boolean;
  paid_until: string | null;
  grace_until_day: string | null;
  price_cents: number | null;
  year_cents: number | null;
  paid_months: number | null;
  is_gift: boolean | null;
  on_the_house: boolean | null;
  gift_from: string | null;
  household_role: 'holder' | 'partner';
  shares_with: string | null;
  shares_with_id: string;
  available: number;
  grants: BarCard['grants'];
  period_pours: number;
  when_paid: number;
  period_end: string;
  ended_on: string | null;
  stripe_status: string | null;
  cancel_at_period_end: boolean | null;
  current_period_end: string | null;
  cancel_at: string | null;
  grace_until: string | null;
  paused_from: string | null;
  paused_until: string | null;
  pour_id: string | null;
  quantity: number;
  location: string;
  poured_at: string | null;
  recorded_by: string;
  dispute: BarCard['dispute'];
  bank_payment: BarCard['bank_payment'];
  lately: ServedPour[];
  benefits: BenefitFacts | null;
  celebrations: BarCard['celebrations'];
  lifetime: number;
}

const readBarCard = preparedStatement<Row, Record<'id' | 'now' | 'since' | 'today' | 'timeZone', string>>(
  sql`select c.id, c.user_id, p.first_name, p.last_name, ph.version as photo, c.tier, t.display_name as tier_label, c.status, o.allergies,
             case when h.holder_id = c.id then 'holder' else 'partner' end as household_role,
             trim(other.first_name || ' ' || other.last_name) as shares_with, oc.id as shares_with_id,
             a.available, a.grants, a.period_pours, a.when_paid, ${isoInstant(sql`a.period_end`)} as period_end,
             to_char(m.end_date, 'YYYY-MM-DD') as ended_on,
             case when m.status = 'active' then to_char(m.ends_on, 'YYYY-MM-DD') end as ends_on, m.next_subscription_id is not null as goes_on, m.is_gift, m.on_the_house,
             case when m.status = 'active' then to_char(m.paid_until, 'YYYY-MM-DD') end as paid_until,
             to_char(m.grace_until, 'YYYY-MM-DD') as grace_until_day, case when m.pending_from <= m.paid_until then m.pending_price_cents else m.monthly_price_cents end as price_cents,
             (select y.yearly_price_cents from tier_definitions y
               where y.tier_name = case when m.pending_from <= m.paid_until then m.pending_tier else m.tier end) as year_cents, m.paid_months,
             (select g.from_name from gift_membership g where g.membership_id = m.id) as gift_from,
             s.status as stripe_status, s.cancel_at_period_end,
             ${isoInstant(sql`s.current_period_end`)} as current_period_end, ${isoInstant(sql`s.cancel_at`)} as cancel_at,
             ${isoInstant(sql`s.grace_until`)} as grace_until,
             ${isoInstant(sql`coalesce(s.paused_from, m.paused_from)`)} as paused_from,
             ${isoInstant(sql`coalesce(s.paused_until, m.paused_until)`)} as paused_until,
             l.id as pour_id, l.quantity, coalesce(l.place_name, l.location) as location,
             ${isoInstant(sql`l.created_at`)} as poured_at, trim(r.first_name || ' ' || r.last_name) as recorded_by,
             (select b.dispute_state from billing_payment b
               where b.user_id = c.user_id and (b.dispute_state = 'open'
                  or b.dispute_state = 'lost' and exists (select 1 from staff_notice n
                       where n.cause = 'payment_disputed:' || b.stripe_dispute_id and n.settled_at is null))
               order by b.dispute_state = 'open' desc limit 1) as dispute,
             ${bankPaymentOf(sql`(case when h.holder_id <> c.id then oc.user_id else c.user_id end)`)} as bank_payment,
             (select coalesce(jsonb_agg(jsonb_build_object('quantity', w.quantity,
                       'created_at', ${isoInstant(sql`w.created_at`)}) order by w.created_at, w.id), '[]')
                from pours w where w.customer_id = c.id and w.created_at > ${sql.placeholder('since')}::timestamptz
                 and not exists (select 1 from pour_voids v where v.pour_id = w.id)) as lately,
             benefit_facts(c.id, ${sql.placeholder('now')}::timestamptz, ${sql.placeholder('timeZone')}) as benefits,
             ${celebratedToday(sql`c.id`, sql.placeholder('today'))} as celebrations, c.total_pours_lifetime as lifetime
        from customers c
        join profiles p on p.id = c.user_id
        join tier_definitions t on t.tier_name = c.tier
        cross join lateral member_allowance(c.id, ${sql.placeholder('now')}::timestamptz, ${sql.placeholder('timeZone')}) a
        left join member_photo ph on ph.user_id = c.user_id
        left join member_about o on o.customer_id = c.id
        left join lateral (
          select x.holder_id, x.customer_id from household_seat x
           where x.customer_id = c.id and x.ended_at is null
          union all
          select x.holder_id, x.customer_id from household_seat x
           where x.holder_id = c.id and x.ended_at is null limit 1) h on true
        left join customers oc on oc.id = case when h.holder_id = c.id then h.customer_id else h.holder_id end
        left join profiles other on other.id = oc.user_id
        left join lateral (
          select * from memberships n where n.customer_id = coalesce(h.holder_id, c.id)
           order by n.status = 'active' desc, n.end_date desc, n.start_date desc, n.id desc limit 1) m on true
        left join billing_subscription s on s.stripe_subscription_id = m.stripe_subscription_id
        left join lateral (
          select * from pours q where q.customer_id = c.id
             and not exists (select 1 from pour_voids v where v.pour_id = q.id)
           order by q.created_at desc, q.id desc limit 1) l on true
        left join profiles r on r.id = l.recorded_by_staff_id
       where c.id = ${sql.placeholder('id')}::uuid or c.user_id = ${sql.placeholder('id')}::uuid
       order by c.user_id = ${sql.placeholder('id')}::uuid desc limit 1`,
);

/** The dues of a membership that is billed at the venue, and counted; null otherwise. */
function duesOf(row: Row, today: LocalDate): BarCard['dues'] {
  const { paid_until, grace_until_day: grace_until, ends_on, price_cents, year_cents, paid_months } = row;
  if (paid_until === null || grace_until === null) return null;
  const state = duesState({ paid_until, grace_until, ends_on }, today);
  return {
    state,
    paid_until,
    grace_until,
    ...duesPrices(price_cents ?? 0, year_cents),
    is_year: paid_months === YEAR_MONTHS,
  };
}

/** A member at the bar, by customer id or user id, in one statement; voided pours do not count. Throws Refusal NOT_FOUND. */
export async function getBarCard(ctx: PourContext, { id }: { id: string }): Promise<BarCard> {
  const now = ctx.now();
  const today = localDate(now, ctx.venue.time_zone);
  const since = new Date(now.getTime() - SERVICE_HOURS * 3_600_000);
  const { service_amber, service_water } = ctx.club.current();
  const [row] = await readBarCard(ctx.db, {
    id,
    now: now.toISOString(),
    since: since.toISOString(),
    today,
    timeZone: ctx.venue.time_zone,
  });
  if (!row) throw new Refusal('NOT_FOUND', { what: 'customer' });
  const subscription = subscriptionOf(row);
  const pause = pauseOf(row);
  const facts = { active: row.status === 'active', subscription, ended_on: row.ended_on, pause };
  const { standing, no_access_since } = barStanding(facts, now, ctx.venue.time_zone);
  const ends_at = subscription
    ? endsAt(subscription)
    : row.ends_on === null || row.goes_on
      ? null
      : startOfDay(row.ends_on, ctx.venue.time_zone);
  const pours_when_paid = row.when_paid;
  const isProgram = ctx.actor.api_client === true;
  const returnsAt = poursReturnAt({
    standing,
    period_end: new Date(row.period_end),
    ends_at,
    paused_until: pause.paused_until,
    pours_when_paid,
    dues_from:
      row.paid_until === null || row.goes_on ? null : startOfDay(row.paid_until, ctx.venue.time_zone),
  });
  return {
    id: row.id,
    user_id: row.user_id,
    first_name: row.first_name,
    last_name: row.last_name,
    photo: row.photo,
    tier: row.tier,
    tier_label: row.tier_label ?? tierLabel(row.tier),
    // For the person pouring, never for a program.
    ...(!isProgram && { allergies: row.allergies }),
    pours_balance: row.available,
    grants: grantsFor(ctx.actor, row.grants),
    period_pours: row.period_pours,
    pours_when_paid,
    pours_return_on: returnsAt && localDate(returnsAt, ctx.venue.time_zone),
    standing,
    // For the person at the bar, who takes the payment.
    ...(!isProgram && { dues: duesOf(row, today), bank_payment: row.bank_payment }),
    dispute: row.dispute,
    gift:
      row.is_gift && row.ends_on ? { from_name: row.gift_from, last_day: giftLastDay(row.ends_on) } : null,
    house: row.on_the_house && row.ends_on ? { last_day: giftLastDay(row.ends_on) } : null,
    household:
      row.shares_with === null
        ? null
        : { role: row.household_role, with: row.shares_with, customer_id: row.shares_with_id },
    no_access_since,
    grace_until: standing === 'grace' ? row.grace_until : null,
    ends_at: standing === 'ending' ? (ends_at?.toISOString() ?? null) : null,
    last_visit: row.poured_at,
    last_pour:
      row.pour_id && row.poured_at
        ? {
            id: row.pour_id,
            quantity: row.quantity,
            location: row.location,
            created_at: row.poured_at,
            recorded_by: row.recorded_by,
          }
        : null,
    benefits: barBenefits(ctx, row.benefits),
    celebrations: row.celebrations.filter(({ kind }) => !isProgram || kind !== 'birthday'),
    hundredth_next: isHundredthNext(row.lifetime),
    service: { pours: row.lately, limits: { amber: service_amber, water: service_water } },
  };
}

function subscriptionOf(row: Row): SubscriptionState | null {
  if (row.stripe_status === null || row.current_period_end === null) return null;
  return {
    status: row.stripe_status,
    cancel_at_period_end: row.cancel_at_period_end ?? false,
    current_period_end: new Date(row.current_period_end),
    cancel_at: row.cancel_at ? new Date(row.cancel_at) : null,
    grace_until: row.grace_until ? new Date(row.grace_until) : null,
    ...pauseOf(row),
  };
}

const pauseOf = (row: Row) => ({
  paused_from: row.paused_from ? new Date(row.paused_from) : null,
  paused_until: row.paused_until ? new Date(row.paused_until) : null,
});
