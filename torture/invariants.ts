import { GLASSES } from './glass-invariants.ts';
import type { Invariant } from './invariant.ts';

const POURS: Invariant[] = [
  {
    name: 'a request is recorded once',
    rule: 'Recording a pour',
    sql: 'select request_id, count(*) from pours group by request_id having count(*) > 1',
  },
  {
    name: 'one tap pours 1 to 100 glasses',
    rule: 'Recording a pour',
    sql: 'select id, quantity from pours where quantity not between 1 and 100 or length(notes) > 500',
  },
  {
    name: 'every pour has its member and its recorder, every void its pour',
    rule: 'Recording a pour',
    sql: `select p.id from pours p left join customers c on c.id = p.customer_id
            left join profiles s on s.id = p.recorded_by_staff_id where c.id is null or s.id is null
          union all select v.pour_id from pour_voids v left join pours p on p.id = v.pour_id where p.id is null`,
  },
  {
    name: "a member's lifetime is the sum of their pours that were not voided",
    rule: 'Voiding a pour',
    sql: `select c.id, c.total_pours_lifetime, coalesce(sum(p.quantity), 0) as poured
            from customers c left join pours p
              on p.customer_id = c.id and not exists (select from pour_voids v where v.pour_id = p.id)
           group by c.id having c.total_pours_lifetime <> coalesce(sum(p.quantity), 0)`,
  },
];

const DUES: Invariant[] = [
  {
    name: 'a membership is paid until the latest end of its payments that are not voided',
    rule: 'Paid until',
    sql: `select m.id, m.paid_until, d.paid_until as dues, d.first from memberships m
            left join (select x.membership_id, max(x.paid_until) filter (where v.dues_id is null) as paid_until, min(x.paid_from) as first
                         from dues x left join dues_void v on v.dues_id = x.id where x.kind <> 'difference' group by 1) d on d.membership_id = m.id
           where not exists (select from dues x where x.membership_id = m.id and x.kind = 'pause')
             and m.paid_until is distinct from
                 coalesce(d.paid_until, case when d.first = m.start_date and m.counted_from is null then d.first end)`,
  },
  {
    name: 'without a void, what is paid has the months of its payments and of its pauses',
    rule: 'Pausing',
    sql: `select m.id, m.paid_until, d.first, d.months from memberships m
            join (select x.membership_id, min(x.paid_from) filter (where x.kind <> 'pause') as first, sum(x.months)::integer as months
                    from dues x where x.kind <> 'difference' group by 1 having bool_or(x.kind = 'pause')) d on d.membership_id = m.id
           where not exists (select from dues x join dues_void v on v.dues_id = x.id where x.membership_id = m.id)
             and d.months <> (extract(year from m.paid_until) - extract(year from d.first)) * 12
                             + extract(month from m.paid_until) - extract(month from d.first)`,
  },
  {
    name: 'a month at the venue is paid exactly up to that day',
    rule: 'Paid until',
    sql: `select g.id, g.period, m.paid_until from memberships m join glass_grant g on g.membership_id = m.id
           where m.paid_until is not null and g.kind in ('period', 'advance') and grant_is_paid(g.id) <> (g.period < m.paid_until)`,
  },
];

const MEMBERSHIPS: Invariant[] = [
  {
    name: 'a customer is active exactly while they have one active membership, or share one, of the same tier',
    rule: 'Words',
    sql: `select c.id, c.status, c.tier, count(m.id) as memberships, min(m.tier) as membership_tier
            from customers c
            left join household_seat h on h.customer_id = c.id and h.ended_at is null
            left join memberships m on m.customer_id = coalesce(h.holder_id, c.id) and m.status = 'active'
           group by c.id
          having count(m.id) <> (c.status = 'active')::integer or min(m.tier) is distinct from
                 case when c.status = 'active' then c.tier end`,
  },
  {
    name: 'the last known terms of an active membership are its own',
    rule: 'Reports',
    sql: `select m.id, m.tier, r.cents, t.tier as known, t.monthly_price_cents as known_cents
            from memberships m cross join lateral recurring_month(m.id) r left join lateral (
              select * from membership_term x where x.membership_id = m.id order by x.since desc limit 1) t on true
           where m.status = 'active'
             and (t.tier, t.monthly_price_cents) is distinct from (m.tier, r.cents)`,
  },
  {
    name: 'staff find exactly the active members',
    rule: 'Other limits',
    sql: `select c.id, c.status, f.customer_id from customers c
            full join profile_search f on f.customer_id = c.id
           where coalesce(c.status = 'active', false) <> (f.customer_id is not null)
              or f.member_since is distinct from case when c.status = 'active' then c.member_since end`,
  },
  {
    name: 'staff list every member as they are, with their last visit',
    rule: 'The list of members',
    sql: `select d.customer_id from member_directory d
            full join (select r.* from customers c cross join lateral directory_rows(c.id) r) r on r.customer_id = d.customer_id
           where d is distinct from r
           union all
          select c.id from customers c left join member_visit v on v.customer_id = c.id
           where v.last_visit is distinct from coalesce((
                   select max(p.created_at) from pours p
                    where p.customer_id = c.id and not exists (select 1 from pour_voids x where x.pour_id = p.id)),
                 '-infinity')`,
  },
  {
    name: 'everyone has one role',
    rule: 'Who may do what',
    sql: `select p.id from profiles p left join user_roles r on r.user_id = p.id
           group by p.id having count(r.user_id) <> 1 and min(p.erased_at) is null`,
  },
  {
    name: 'a user has at most one application pending',
    rule: 'Applications',
    sql: `select user_id from membership_applications where status = 'pending' group by user_id having count(*) > 1`,
  },
  {
    name: 'an approved application made a customer, and a review has its time',
    rule: 'Applications',
    sql: `select a.id, a.status from membership_applications a left join customers c on c.user_id = a.user_id
           where (a.status = 'approved' and c.id is null) or (a.status <> 'pending' and a.reviewed_at is null)`,
  },
  {
    name: 'an approval by staff made one membership, at the venue',
    rule: 'Applications',
    sql: `select c.id from customers c
            join membership_applications a on a.user_id = c.user_id and a.status = 'approved'
              and a.reviewed_by_staff_id is not null
            left join memberships m on m.customer_id = c.id and m.stripe_subscription_id is null
             and not m.is_gift
             and not exists (select from dues d where d.membership_id = m.id and d.method = 'online' and d.paid_from = m.start_date)
           group by c.id having count(distinct m.id) <> count(distinct a.id)`,
  },
];

const SHARING: Invariant[] = [
  {
    name: 'nobody shares a membership twice, or beside one of their own, or with a tier for one',
    rule: 'Household',
    sql: `select h.id from household_seat h join customers c on c.id = h.holder_id
            join tier_definitions t on t.tier_name = c.tier
           where h.ended_at is null and (
             exists (select from household_seat x where x.ended_at is null and x.holder_id = h.customer_id)
             or exists (select from memberships m where m.customer_id = h.customer_id and m.status = 'active')
             or (c.status = 'active' and t.people < 2))`,
  },
  {
    name: 'who poured from the glasses of another shared them',
    rule: 'Household',
    sql: `select p.id from pours p where p.pool_id is not null and not exists (
            select from household_seat h where h.holder_id = p.pool_id and h.customer_id = p.customer_id)`,
  },
  {
    name: 'what waits for a guest is of the glasses that its giver drinks from',
    rule: 'A glass for a guest',
    sql: `select g.id from guest_glass g
            left join household_seat h on h.customer_id = g.customer_id and h.ended_at is null
           where g.pour_id is null and g.withdrawn_at is null and g.pool_id <> coalesce(h.holder_id, g.customer_id)`,
  },
  {
    name: 'a glass for a guest is one glass, of the pool that held it',
    rule: 'A glass for a guest',
    sql: `select g.id from guest_glass g join pours p on p.id = g.pour_id
           where p.quantity <> 1 or p.customer_id <> g.customer_id or coalesce(p.pool_id, p.customer_id) <> g.pool_id`,
  },
];

const BILLING: Invariant[] = [
  {
    name: 'an active membership by card has a subscription that is neither over nor reversed',
    rule: 'Billing: one membership',
    sql: `select m.id, s.status from memberships m
            left join billing_subscription s on s.stripe_subscription_id = m.stripe_subscription_id
            left join billing_reversal r on r.stripe_subscription_id = m.stripe_subscription_id
           where m.status = 'active' and m.stripe_subscription_id is not null
             and (s.stripe_subscription_id is null or r.stripe_subscription_id is not null
                  or s.status in ('canceled', 'incomplete_expired'))`,
  },
  {
    name: 'at most one subscription of a user gives access, and none beside a membership at the venue',
    rule: 'Billing: one membership',
    sql: `select s.user_id, count(*) from billing_subscription s
            left join billing_reversal r on r.stripe_subscription_id = s.stripe_subscription_id
            left join customers c on c.user_id = s.user_id
            left join memberships m on m.customer_id = c.id and m.status = 'active' and m.stripe_subscription_id is null
           where s.access_until is not null and s.status not in ('canceled', 'incomplete_expired')
             and r.stripe_subscription_id is null
             -- A card that waits to take over from the venue.
             and not exists (select from memberships w where w.next_subscription_id = s.stripe_subscription_id and w.status = 'active')
           group by s.user_id having count(distinct s.stripe_subscription_id) > 1 or count(m.id) > 0`,
  },
  {
    name: 'no more is refunded than was paid',
    rule: 'Billing: one membership',
    sql: 'select stripe_invoice_id from billing_payment where amount_refunded_cents not between 0 and amount_paid_cents',
  },
  {
    name: 'staff give back no more of a payment than was paid, each to who paid',
    rule: 'Refunds by staff',
    sql: `select p.stripe_invoice_id, p.amount_paid_cents, sum(coalesce(r.refunded_cents, r.amount_cents)) as refunded
            from billing_payment p join billing_refund r on r.stripe_invoice_id = p.stripe_invoice_id
           where r.status in ('asked', 'done') or r.user_id <> p.user_id
           group by p.stripe_invoice_id
          having sum(coalesce(r.refunded_cents, r.amount_cents)) > p.amount_paid_cents
              or bool_or(r.user_id <> p.user_id)`,
  },
  {
    name: 'a reversal that is done ended its subscription, and refunded or ordered to refund what it had to',
    rule: 'Billing: one membership',
    sql: `select r.stripe_subscription_id, s.status, p.amount_paid_cents, p.amount_refunded_cents
            from billing_reversal r
            left join billing_subscription s on s.stripe_subscription_id = r.stripe_subscription_id
            left join billing_payment p on p.stripe_subscription_id = r.stripe_subscription_id
             and p.created_at >= r.refund_from and p.unrefundable is null
             and not exists (select from billing_refund f
                              where f.stripe_invoice_id = p.stripe_invoice_id and f.status = 'asked')
           where r.done_at is not null and (s.status not in ('canceled', 'incomplete_expired')
                 or p.amount_refunded_cents < p.amount_paid_cents)`,
  },
  {
    // A return from a pause is paid before it is recorded.
    name: 'nothing is poured in a pause that no paid month covers',
    rule: 'Pausing',
    sql: `select p.id, p.created_at, x.starts_at, x.settled_at, x.state from pours p
            join billing_act x on x.kind = 'pause' and p.created_at >= x.starts_at
             and p.created_at < least(x.ends_at, x.settled_at)
            join customers c on c.id = coalesce(p.pool_id, p.customer_id) and c.user_id = x.user_id
            join memberships m on m.customer_id = c.id and m.stripe_subscription_id = x.stripe_subscription_id
             and m.status = 'active'
           where x.state in ('set', 'done')
             and not exists (select from glass_debit d join glass_grant g on g.id = d.grant_id
                              where d.pour_id = p.id and (g.kind <> 'advance' or exists (
                                select from glass_change y where y.grant_id = g.id and y.kind = 'paid')))`,
  },
  {
    name: 'a membership that staff ended is over, and nothing is poured in it after its end',
    rule: 'Ending by staff',
    sql: `select e.id from billing_act e join memberships m on m.id = e.membership_id and m.status = 'active'
           where e.state = 'set' and (e.terms ->> 'ends' = 'now' or exists (
             select from pours p where coalesce(p.pool_id, p.customer_id) = m.customer_id and p.created_at >= e.ends_at))`,
  },
  {
    name: 'a gift is redeemed at most once, paid, and never given back as well',
    rule: 'Gifts',
    sql: `select g.id, g.status, m.id as membership from gift_membership g
            left join memberships m on m.id = g.membership_id
           where (g.status = 'redeemed') <> (m.id is not null)
              or (g.status = 'redeemed' and (g.paid_at is null or g.refund_asked_at is not null
                    or not m.is_gift or m.tier <> g.tier))
              or (g.status in ('refunding', 'refunded', 'kept') and g.code_hash is not null)
              or g.refunded_cents not between 0 and coalesce(g.paid_cents, 0)
          union all
          select min(g.id::text)::uuid, 'redeemed twice', g.membership_id from gift_membership g
           where g.membership_id is not null group by g.membership_id having count(*) > 1`,
  },
  {
    name: 'a membership that is a gift is paid by nothing else, lasts its months, and gives nothing after them',
    rule: 'Gifts',
    sql: `select m.id, m.ends_on from memberships m left join gift_membership g on g.membership_id = m.id
           where m.is_gift
             and (m.stripe_subscription_id is not null or m.monthly_price_cents <> 0
                  or m.ends_on is distinct from coalesce(
                       (m.start_date + make_interval(months => g.months))::date, m.ends_on, m.start_date)
                  or (m.status = 'active' and exists (select from pours p where coalesce(p.pool_id, p.customer_id) = m.customer_id
                       and p.created_at >= m.ends_on::timestamp at time zone $zone)))`,
  },
  {
    name: 'at most one checkout, one tier change, one move and one pause of a user are under way',
    rule: 'Billing: what happens when',
    sql: `select user_id, 'checkout' as what from checkout_attempt where status in ('creating', 'open')
           group by user_id having count(*) > 1
          union all select user_id, 'tier change' from tier_change where status = 'asked'
           group by user_id having count(*) > 1
          union all select user_id, kind from billing_act
           where kind <> 'end' and (state in ('asked', 'set') or (state = 'withdrawing' and kind = 'pause'))
           group by user_id, kind having count(*) > 1`,
  },
  {
    name: 'every id from Stripe belongs to the mode of the database',
    rule: 'Billing: live, test and demo',
    sql: `select 'none or several modes' as problem where exists (select from billing_customer)
             and (select count(*) from stripe_mode) <> 1`,
  },
];

const EMAILS: Invariant[] = [
  {
    name: 'an email was sent once for each cause, and what was sent keeps no text',
    rule: 'Other limits',
    sql: `select cause from deliveries group by kind, cause having count(*) > 1
          union all select cause from deliveries where outcome is not null and payload is not null`,
  },
];

const WINES: Invariant[] = [
  {
    name: 'a wine is open exactly while one bottle of it is',
    rule: 'Bottles',
    sql: `select w.id, w.state, count(b.id) as bottles
            from wine w left join bottle b on b.wine_id = w.id and b.finished_at is null
           group by w.id having count(b.id) <> (w.state = 'open')::integer`,
  },
  {
    name: 'the bottle of a pour is one of its wine',
    rule: 'Bottles',
    sql: `select p.id, p.wine_id, b.wine_id as bottle_of from pours p join bottle b on b.id = p.bottle_id
           where b.wine_id is distinct from p.wine_id`,
  },
];

export const INVARIANTS: Invariant[] = [
  ...POURS,
  ...GLASSES,
  ...SHARING,
  ...WINES,
  ...MEMBERSHIPS,
  ...DUES,
  ...BILLING,
  ...EMAILS,
];

export type Query = (statement: string) => Promise<Record<string, unknown>[]>;

export async function brokenInvariants(query: Query, timeZone: string): Promise<string[]> {
  const violations: string[] = [];
  for (const { name, rule, sql } of INVARIANTS) {
    const rows = await query(sql.replaceAll('$zone', `'${timeZone}'`));
    if (rows.length === 0) continue;
    const first = JSON.stringify(rows.slice(0, 3));
    violations.push(`not true that ${name} (rule "${rule}"): ${rows.length} rows, first ${first}`);
  }
  return violations;
}

/** Indexes that do not match their tables, by the extension amcheck: only on a Postgres server, as its administrator. */
export async function brokenIndexes(query: Query): Promise<string[]> {
  await query('create extension if not exists amcheck');
  const indexes = await query(
    `select c.oid::regclass::text as name from pg_class c join pg_am a on a.oid = c.relam
      where c.relkind = 'i' and a.amname = 'btree' and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const problems: string[] = [];
  for (const { name } of indexes) {
    await query(`select bt_index_check('${String(name)}', true)`).catch((error: Error) => {
      problems.push(`index ${String(name)}: ${error.message}`);
    });
  }
  return problems;
}
