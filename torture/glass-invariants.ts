import type { Invariant } from './invariant.ts';

/** The end of a grant `g`, after later changes. */
const END = `coalesce((select c.valid_until from glass_change c where c.grant_id = g.id and c.valid_until is not null
                         order by c.created_at desc limit 1), g.valid_until)`;

/**
 * The glasses added to a grant `g` later, less those staff took back. A smaller tier at Stripe takes nothing from earlier
 * pours.
 */
const ADDED = `(select coalesce(sum(case when c.kind in ('tier_change', 'tier_known') then greatest(c.glasses, 0)
                                         else c.glasses end), 0) from glass_change c where c.grant_id = g.id)`;

/** The glasses that pours took from a grant `g`; `unless` says which pours do not count. */
const poured = (exception: string) => `
  (select coalesce(sum(d.glasses), 0) from glass_debit d join pours p on p.id = d.pour_id
    where d.grant_id = g.id and not exists (select from pour_voids v where v.pour_id = p.id and ${exception}))`;

/** The glasses of a grant `g` that make up for unpaid ones. */
const OWED = `(select coalesce(sum(d.glasses), 0) from glass_debit d
                where d.grant_id = g.id and d.owed_grant_id is not null
                  and not grant_is_paid(d.owed_grant_id))`;

/** The glasses of a grant `g` held for guests at a time; `then` is a condition on the guest glass `h`. */
const held = (condition: string) => `
  (select coalesce(sum(d.glasses), 0) from glass_debit d join guest_glass h on h.id = d.guest_glass_id
    where d.grant_id = g.id and h.pour_id is null and h.withdrawn_at is null and ${condition})`;

/** The last instant of the ledger, because the servers' clocks differ from the machine's. */
const LAST = `(select greatest((select max(created_at) from pours), (select max(created_at) from pour_voids),
                (select max(created_at) from glass_grant), (select max(created_at) from glass_change),
                (select max(created_at) from guest_glass), (select max(withdrawn_at) from guest_glass)))`;

export const GLASSES: Invariant[] = [
  {
    name: 'grants minus debits is what is left, never below zero, for every pool at every instant',
    rule: 'Glasses',
    // The checked instants are the expiry of a guest glass, because others may pour it from then on, and the end.
    sql: `select g.id, at.instant, g.glasses + ${ADDED} as given from glass_grant g
            cross join lateral (
              select h.expires_at as instant from glass_debit d join guest_glass h on h.id = d.guest_glass_id
               where d.grant_id = g.id and h.pour_id is null and h.withdrawn_at is null
               union select 'infinity') at
           where g.glasses + ${ADDED} < ${OWED} + ${held('h.created_at < at.instant and h.expires_at >= at.instant')}
             + (select coalesce(sum(d.glasses), 0) from glass_debit d join pours p on p.id = d.pour_id
                 where d.grant_id = g.id and coalesce(p.recorded_at, p.created_at) < at.instant
                   and not exists (select from pour_voids v where v.pour_id = p.id))`,
  },
  {
    name: 'what a member sees as left is what their grants have left',
    rule: 'Glasses',
    // Only if every grant is already written: a read also counts grants that are due.
    sql: `select m.customer_id, a.available, mine.glasses
            from memberships m
            cross join lateral (select ${LAST} as instant) last
            cross join lateral member_allowance(m.customer_id, last.instant, $zone) a
            cross join lateral (
              select coalesce(sum(greatest(0, g.glasses
                       + (select coalesce(sum(c.glasses), 0) from glass_change c where c.grant_id = g.id)
                       - ${poured('true')} - ${OWED} - ${held('h.created_at <= last.instant and h.expires_at > last.instant')})), 0) as glasses
                from glass_grant g
               where g.membership_id = m.id and g.valid_from <= last.instant and ${END} > last.instant) mine
           where m.status = 'active' and a.access and a.available <> mine.glasses
             and not exists (select from due_grants(m.customer_id, last.instant, $zone))`,
  },
  {
    name: 'every pour took its glasses from grants, all of them',
    rule: 'Recording a pour',
    sql: `select p.id, p.quantity, sum(d.glasses) as taken from pours p left join glass_debit d on d.pour_id = p.id
           group by p.id having p.quantity is distinct from sum(d.glasses)`,
  },
  {
    name: 'a pour took from grants of its own pool, while they lasted',
    rule: 'Glasses',
    sql: `select p.id, p.created_at, p.recorded_at, g.id as grant_id, g.valid_from, ${END} as ends
            from glass_debit d join pours p on p.id = d.pour_id join glass_grant g on g.id = d.grant_id
           where g.customer_id <> coalesce(p.pool_id, p.customer_id)
              or coalesce(p.recorded_at, p.created_at) < g.valid_from or p.created_at >= ${END}`,
  },
  {
    name: 'what waits for a guest was taken from one grant of its pool, and the pour from the same',
    rule: 'A glass for a guest',
    sql: `select h.id, sum(d.glasses) as held, min(p.grant_id::text) as poured_from from guest_glass h
            left join glass_debit d on d.guest_glass_id = h.id
            left join glass_grant g on g.id = d.grant_id
            left join glass_debit p on p.pour_id = h.pour_id
           group by h.id
          having sum(d.glasses) is distinct from 1 or bool_or(g.customer_id <> h.pool_id)
              or bool_or(h.pour_id is not null and p.grant_id is distinct from d.grant_id)`,
  },
  {
    name: 'a grant of a period gives no more than its tier does',
    rule: 'Glasses',
    sql: `select g.id, g.tier, t.monthly_pours, x.glasses from glass_grant g
            join memberships m on m.id = g.membership_id and m.status = 'active' and m.tier = g.tier
            join tier_definitions t on t.tier_name = g.tier
            cross join lateral (
              select g.glasses + coalesce(sum(c.glasses) filter (where c.kind in ('paid', 'unpaid', 'tier_glasses')), 0) as glasses
                from glass_change c where c.grant_id = g.id) x
           where g.kind in ('period', 'advance') and x.glasses > t.monthly_pours
             and not exists (select from glass_change c where c.grant_id = g.id and c.kind = 'tier_known')`,
  },
  {
    name: 'what rolled over was left of the period before when that ended, and no more than might roll over',
    rule: 'Glasses',
    sql: `select r.id, r.glasses, x.* from glass_grant r
            left join lateral (
              select g.id as before, g.glasses + ${ADDED} - ${poured(`v.created_at < ${END}`)} - ${OWED} as had_left,
                     g.rollable + (select coalesce(sum(greatest(c.rollable, 0)), 0)
                                     from glass_change c where c.grant_id = g.id and c.kind <> 'kept') as at_most
                from glass_grant g
               where g.membership_id = r.membership_id and g.kind in ('period', 'advance') and g.period < r.period
               order by g.period desc limit 1) x on true
           where r.kind = 'rollover' and (x.before is null or r.glasses > least(x.had_left, x.at_most))`,
  },
  {
    name: 'what makes up for an unpaid period is no more than was poured of it',
    rule: 'Glasses',
    sql: `select d.owed_grant_id, sum(d.glasses) as made_up from glass_debit d
            join glass_grant later on later.id = d.grant_id
           where d.owed_grant_id is not null
             and (later.kind <> 'advance' or exists (select from glass_change c where c.grant_id = later.id and c.kind = 'paid'))
           group by d.owed_grant_id
          having sum(d.glasses) > (select coalesce(sum(x.glasses), 0) from glass_debit x
                                    where x.grant_id = d.owed_grant_id and x.pour_id is not null)`,
  },
  {
    name: 'the periods of a membership do not overlap',
    rule: 'Glasses',
    sql: `select g.id, b.id as next from glass_grant g
            join glass_grant b on b.membership_id = g.membership_id and b.kind in ('period', 'advance')
             and (b.valid_from, b.id) > (g.valid_from, g.id)
           where g.kind in ('period', 'advance') and b.valid_from < ${END}`,
  },
  {
    name: 'a tier change gives its glasses once',
    rule: 'Billing: changing the tier',
    sql: `select tier_change_id from glass_change where tier_change_id is not null
           group by tier_change_id having count(*) > 1`,
  },
];
