import { type SQL, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { expect } from 'vitest';
import type { Db } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';

export interface Member {
  customer_id: string;
  membership_id: string;
  joined: string;
}

/** A club with a ledger written by the product's functions and as in billing, at any instant. Days are in UTC. */
export type Club = Awaited<ReturnType<typeof openClub>>;

export async function openClub(db: Db) {
  const run = <Row = Record<string, unknown>>(statement: SQL) => rowsOf<Row>(db, statement);
  const call = (name: string, input: object) =>
    run<{ answer: { outcome: string } }>(
      sql`select ${sql.identifier(name)}(${JSON.stringify({ ...input, time_zone: 'UTC' })}::jsonb) as answer`,
    );
  const members: Member[] = [];
  const staff_id = await newUser();

  async function newUser(): Promise<string> {
    const id = v7();
    await run(sql`insert into profiles (id, name, email, first_name, last_name)
      values (${id}, 'Ada', ${`${id}@venue.test`}, 'Ada', '')`);
    return id;
  }

  async function join(joined: string, tier: string, subscription: string | null): Promise<Member> {
    const [customer_id, membership_id, day] = [v7(), v7(), joined.slice(0, 10)];
    await run(sql`insert into customers (id, user_id, tier, status, member_since, created_at)
      values (${customer_id}, ${await newUser()}, ${tier}, 'active', ${day}, ${day})`);
    await run(sql`insert into memberships (id, customer_id, tier, start_date, began_at, status, monthly_price_cents, stripe_subscription_id)
      values (${membership_id}, ${customer_id}, ${tier}, ${day}, ${joined}, 'active', 100, ${subscription})`);
    const member = { customer_id, membership_id, joined };
    members.push(member);
    return member;
  }

  /** Marks the days as billing does after changing a grant. */
  const touch = (id: string) => run(sql`select touch_report_day(variadic grant_ends(${id}::uuid))`);

  const lastGrant = async ({ membership_id }: Member) =>
    (
      await run<{ id: string }>(
        sql`select id from glass_grant where membership_id = ${membership_id} and kind in ('period', 'advance')
             order by valid_from desc limit 1`,
      )
    )[0]?.id;

  return {
    members,
    /** The member at that position, wrapping around. */
    someone: (number: number) => members[number % members.length] as Member,
    joinAtVenue: (joined: string, tier: string) => join(joined, tier, null),
    /** Stores a first month as billing does; later months are due. */
    async joinByCard(joined: string, tier: string, paid: boolean): Promise<void> {
      const [subscription, grant] = [`sub_${v7()}`, v7()];
      const { customer_id, membership_id } = await join(joined, tier, subscription);
      const ends = sql`((${joined}::timestamptz at time zone 'UTC' + interval '1 month') at time zone 'UTC')`;
      await run(sql`insert into billing_subscription (stripe_subscription_id, user_id, tier, status, cancel_at_period_end,
          current_period_start, current_period_end, access_until, amount_cents, currency, stripe_price_id, created_at, synced_at)
        select ${subscription}, user_id, ${tier}, 'active', false, ${joined}, ${ends}, ${ends} + interval '27 days', 100, 'usd',
               'price_1', ${joined}, ${joined} from customers where id = ${customer_id}`);
      await run(sql`insert into glass_grant (id, customer_id, membership_id, kind, tier, glasses, period, valid_from, valid_until, grace_days, created_at)
        values (${grant}, ${customer_id}, ${membership_id}, ${paid ? 'period' : 'advance'}, ${tier}, ${paid ? 4 : 2},
                ${joined.slice(0, 10)}, ${joined}, ${ends}, 7, ${joined})`);
      await touch(grant);
    },
    pour: ({ customer_id }: Member, created_at: string, quantity: number) =>
      call('record_pour', {
        pour: {
          ...{ id: v7(), request_id: v7(), customer_id, quantity, location: 'main_bar', place: 'main_bar' },
          ...{
            toast_reference_number: 'POUR-1',
            status: 'redeemed',
            recorded_by_staff_id: staff_id,
            created_at,
          },
        },
      }),
    /** Voids one of the first seven unvoided pours. */
    async voidPour(number: number): Promise<void> {
      const [poured] = await run<{ id: string }>(sql`select p.id from pours p
         where not exists (select from pour_voids v where v.pour_id = p.id) order by p.id offset ${number % 7} limit 1`);
      if (!poured) return;
      const created_at = new Date().toISOString();
      await call('void_pour', {
        void: { pour_id: poured.id, reason: 'mistake', voided_by_staff_id: staff_id, created_at },
      });
    },
    /** Gives glasses or takes some back, which is refused without access, or if fewer are left. */
    async give({ customer_id }: Member, created_at: string, glasses: number): Promise<void> {
      const [given] = await call('give_glasses', {
        given: {
          ...{ id: v7(), request_id: v7(), customer_id, kind: 'comp', glasses },
          ...{ given_by_staff_id: staff_id, created_at },
        },
      });
      expect(['given', 'not_active', 'exceeded']).toContain(given?.answer.outcome);
    },
    /** Pays the first unpaid month. */
    async payLate({ membership_id }: Member): Promise<void> {
      const [unpaid] = await run<{ id: string }>(sql`
        select id from glass_grant g where membership_id = ${membership_id} and kind = 'advance'
           and not exists (select from glass_change x where x.grant_id = g.id and x.kind = 'paid')
         order by valid_from limit 1`);
      if (!unpaid) return;
      await run(sql`insert into glass_change (id, grant_id, kind, glasses, created_at)
        values (${v7()}, ${unpaid.id}, 'paid', 3, now())`);
      await run(sql`select settle_owed(${unpaid.id})`);
      await touch(unpaid.id);
    },
    async changeTier(member: Member, to: string, more: number): Promise<void> {
      const id = await lastGrant(member);
      if (!id) return;
      await run(sql`insert into glass_change (id, grant_id, kind, glasses, to_tier, prorated_at, created_at)
        values (${v7()}, ${id}, 'tier_change', ${more}, ${to}, now(), now())`);
      await touch(id);
    },
    /** Ends a period as for a member who returns early from a pause. */
    async endEarly(member: Member): Promise<void> {
      const id = await lastGrant(member);
      if (!id) return;
      await run(sql`insert into glass_change (id, grant_id, kind, valid_until, created_at)
        select ${v7()}, id, 'ended', valid_from + (valid_until - valid_from) / 3, now() from glass_grant where id = ${id}`);
      await touch(id);
    },
    /** Empties the ledger, which otherwise only grows. */
    async empty(): Promise<void> {
      await run(sql`truncate glass_grant, glass_change, glass_debit, pours, pour_voids, given_glasses, memberships, membership_term,
        customers, billing_subscription, pour_summary, unused_summary, closed_day cascade`);
      members.length = 0;
    },
  };
}
