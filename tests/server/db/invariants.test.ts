import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { brokenInvariants, INVARIANTS, type Query } from '../../../torture/invariants.ts';
import { seedVenue } from '../../../torture/people/venue.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await seedVenue(database.db, { thirsty: 2, modest: 1, people: 1, applications: 1 });
});
afterAll(() => database.close());

const MEMBER = `(select id from customers order by id limit 1)`;
const USER = `(select user_id from customers order by id limit 1)`;
const APPLICANT = `(select user_id from membership_applications limit 1)`;
const subscription = (id: string, user: string, status = 'active') => `
  insert into billing_subscription (stripe_subscription_id, user_id, tier, status, cancel_at_period_end,
      current_period_start, current_period_end, access_until, amount_cents, currency, stripe_price_id, created_at, synced_at)
    values ('${id}', ${user}, 'select', '${status}', false, now() - interval '1 day', now() + interval '29 days',
      now() + interval '36 days', 3900, 'usd', 'price_1', now(), now())`;
const pour = (quantity: number, request = 'gen_random_uuid()') => `
  insert into pours (id, request_id, customer_id, quantity, location, toast_reference_number, status, recorded_by_staff_id, created_at)
    values (gen_random_uuid(), ${request}, ${MEMBER}, ${quantity}, 'main_bar', 'POUR-1', 'redeemed', ${USER}, now())`;
const [GRANT, NEXT] = ['00000000-0000-4000-8000-0000000000aa', '00000000-0000-4000-8000-0000000000bb'];
/** A member's four glasses of a month, of which two may roll over. Times are relative to now. */
const grant = ({ id = GRANT, kind = 'period', glasses = 4, from = '-1 day', to = '29 days' } = {}) => `
  insert into glass_grant (id, customer_id, membership_id, kind, tier, glasses, rollable, period, valid_from, valid_until, created_at)
    select '${id}', m.customer_id, m.id, '${kind}', 'select', ${glasses}, 2, (now() + interval '${from}')::date,
           now() + interval '${from}', now() + interval '${to}', now() from memberships m where m.customer_id = ${MEMBER}`;
/** Every pour's glasses come from one grant. */
const debit = (id = GRANT) => `
  insert into glass_debit (grant_id, glasses, pour_id) select '${id}', quantity, id from pours`;
const guestGlass = (owner = MEMBER) => `
  insert into guest_glass (id, customer_id, pool_id, created_at, expires_at)
    values ('${GRANT}', ${MEMBER}, ${owner}, now() - interval '1 hour', now() + interval '6 days')`;
const hold = (glasses = 1) => `
  insert into glass_debit (grant_id, glasses, guest_glass_id) values ('${GRANT}', ${glasses}, '${GRANT}')`;
const payment = (paid: number, refunded: number) => `
  insert into billing_payment (stripe_invoice_id, user_id, stripe_subscription_id, status, amount_paid_cents,
      amount_refunded_cents, currency, created_at)
    values ('in_1', ${USER}, 'sub_1', 'paid', ${paid}, ${refunded}, 'usd', now())`;
const email = (cause: string, payload: string, outcome: string) => `
  insert into deliveries (kind, cause, recipient, payload, created_at, outcome, finished_at)
    values ('email', '${cause}', 'a@b.test', ${payload}, now(), ${outcome}, case when ${outcome} is not null then now() end)`;

const pause = (starts: string) => `
  insert into billing_act (id, kind, cause, user_id, stripe_subscription_id, terms, starts_at, ends_at, asked_by, state, created_at)
    values (gen_random_uuid(), 'pause', 'pause', ${USER}, 'sub_1', '{"months":1}', now() + interval '${starts}',
      now() + interval '29 days', 'member', 'set', now())`;

/** A seat for a member who also has their own membership. */
const SEAT = `insert into household_seat (id, holder_id, customer_id, joined_at)
  select gen_random_uuid(), id, ${MEMBER}, now() from customers where id <> ${MEMBER} limit 1`;
const gift = (state: string, membership: string) => `
  insert into gift_membership (id, buyer_id, tier, months, monthly_price_cents, amount_cents, currency, tax_behavior, delivery,
      created_at, expires_at, status, paid_at, stripe_payment_intent_id, paid_cents, redeemed_at, membership_id)
    values (gen_random_uuid(), ${USER}, 'select', 3, 3900, 11700, 'usd', 'unspecified', 'card', now(), now(), ${state}, ${membership})`;

const WINE = `insert into wine (id, name, color, sweetness, body, tannin, acidity, glasses_per_bottle, state, position, created_at, updated_at)
  select n, 'Barolo', 'red', 1, 5, 5, 4, 6, 'gone', 1, now(), now()
    from unnest(array['00000000-0000-4000-8000-00000000000a', '00000000-0000-4000-8000-00000000000b']::uuid[]) n`;
const BOTTLE = `insert into bottle (id, wine_id, glasses, opened_at)
  values (gen_random_uuid(), '00000000-0000-4000-8000-00000000000a', 6, now())`;

/** For each invariant, statements that violate it, bypassing constraints and triggers. */
const BREAKS: Record<string, string[]> = {
  'a request is recorded once': [
    'alter table pours drop constraint pours_request_id_unique',
    pour(1, `'00000000-0000-4000-8000-000000000000'`),
    pour(1, `'00000000-0000-4000-8000-000000000000'`),
  ],
  'one tap pours 1 to 100 glasses': [pour(101)],
  'a wine is open exactly while one bottle of it is': [WINE, BOTTLE],
  'the bottle of a pour is one of its wine': [
    WINE,
    BOTTLE,
    'alter table pours disable trigger refuse_pour_change',
    pour(1),
    `update pours set wine_id = '00000000-0000-4000-8000-00000000000b', bottle_id = (select id from bottle)`,
  ],
  'every pour has its member and its recorder, every void its pour': [
    'insert into pour_voids (pour_id, voided_by_staff_id, created_at) values (gen_random_uuid(), gen_random_uuid(), now())',
  ],
  "a member's lifetime is the sum of their pours that were not voided": [
    `update customers set total_pours_lifetime = 1 where id = ${MEMBER}`,
  ],
  'grants minus debits is what is left, never below zero, for every pool at every instant': [
    grant(),
    pour(4),
    debit(),
    guestGlass(),
    hold(),
  ],
  // A grant that names a period other than its own.
  'what a member sees as left is what their grants have left': [
    grant({ from: '-10 days', to: '20 days' }),
    grant({ id: NEXT, kind: 'rollover', from: '-40 days', to: '9 days' }),
  ],
  'every pour took its glasses from grants, all of them': [
    grant(),
    pour(2),
    `insert into glass_debit (grant_id, glasses, pour_id) select '${GRANT}', 1, id from pours`,
  ],
  'a pour took from grants of its own pool, while they lasted': [
    grant({ from: '-40 days', to: '-9 days' }),
    pour(1),
    debit(),
  ],
  'what waits for a guest was taken from one grant of its pool, and the pour from the same': [
    grant(),
    grant({ id: NEXT, kind: 'rollover' }),
    guestGlass(),
    hold(),
    pour(1),
    debit(NEXT),
    'update guest_glass set pour_id = (select id from pours)',
  ],
  'a grant of a period gives no more than its tier does': [
    `update memberships set tier = 'select' where customer_id = ${MEMBER}`,
    grant({ glasses: 5 }),
  ],
  'what rolled over was left of the period before when that ended, and no more than might roll over': [
    grant({ from: '-31 days', to: '-1 days' }),
    pour(3),
    `update pours set created_at = now() - interval '9 days'`,
    debit(),
    grant({ id: NEXT, kind: 'rollover', glasses: 2 }),
  ],
  'what makes up for an unpaid period is no more than was poured of it': [
    grant({ kind: 'advance', glasses: 1, from: '-31 days', to: '-1 days' }),
    grant({ id: NEXT }),
    `insert into glass_debit (grant_id, glasses, owed_grant_id) values ('${NEXT}', 1, '${GRANT}')`,
  ],
  'nobody shares a membership twice, or beside one of their own, or with a tier for one': [SEAT],
  'who poured from the glasses of another shared them': [
    'alter table pours disable trigger refuse_pour_change',
    pour(1),
    `update pours set pool_id = gen_random_uuid()`,
  ],
  'what waits for a guest is of the glasses that its giver drinks from': [
    `insert into guest_glass (id, customer_id, pool_id, created_at, expires_at)
       select gen_random_uuid(), ${MEMBER}, id, now(), now() from customers where id <> ${MEMBER} limit 1`,
  ],
  'a glass for a guest is one glass, of the pool that held it': [
    pour(2),
    `insert into guest_glass (id, customer_id, pool_id, created_at, expires_at, pour_id)
       select gen_random_uuid(), ${MEMBER}, ${MEMBER}, now(), now(), id from pours limit 1`,
  ],
  'a membership is paid until the latest end of its payments that are not voided': [
    `update memberships set paid_until = '2030-01-01', grace_until = '2030-01-08' where customer_id = ${MEMBER}`,
  ],
  'without a void, what is paid has the months of its payments and of its pauses': [
    ...['payment', 'pause'].map(
      (kind) =>
        `insert into dues (id, request_id, customer_id, membership_id, kind, amount_cents, months, paid_on, paid_from, paid_until,
             recorded_by_staff_id, created_at)
           select gen_random_uuid(), gen_random_uuid(), customer_id, id, '${kind}', 0, 1, start_date, start_date,
                  start_date + 31, ${USER}, now() from memberships where customer_id = ${MEMBER}`,
    ),
    `update memberships set paid_until = start_date, grace_until = start_date where customer_id = ${MEMBER}`,
  ],
  'a month at the venue is paid exactly up to that day': [
    grant(),
    `update memberships set paid_until = '2000-01-01', grace_until = '2000-01-08' where customer_id = ${MEMBER}`,
  ],
  'a customer is active exactly while they have one active membership, or share one, of the same tier': [
    `update memberships set status = 'ended' where customer_id = ${MEMBER}`,
  ],
  'the last known terms of an active membership are its own': [
    `update membership_term set monthly_price_cents = monthly_price_cents + 1`,
  ],
  'staff find exactly the active members': [`delete from profile_search where customer_id = ${MEMBER}`],
  'staff list every member as they are, with their last visit': [
    `update member_visit set last_visit = now() where customer_id = ${MEMBER}`,
  ],
  'everyone has one role': [`delete from user_roles where user_id = ${USER}`],
  'a user has at most one application pending': [
    'drop index applications_one_pending',
    `insert into membership_applications (id, user_id, status, created_at, updated_at)
       values (gen_random_uuid(), ${APPLICANT}, 'pending', now(), now())`,
  ],
  'an approved application made a customer, and a review has its time': [
    `update membership_applications set status = 'approved', reviewed_at = now()`,
  ],
  'an approval by staff made one membership, at the venue': [
    `update membership_applications
        set user_id = ${USER}, status = 'approved', reviewed_at = now(), reviewed_by_staff_id = ${USER}`,
    `delete from memberships where customer_id = ${MEMBER}`,
  ],
  'an active membership by card has a subscription that is neither over nor reversed': [
    `update memberships set stripe_subscription_id = 'sub_1' where customer_id = ${MEMBER}`,
  ],
  'at most one subscription of a user gives access, and none beside a membership at the venue': [
    subscription('sub_1', USER),
  ],
  'no more is refunded than was paid': [payment(100, 101)],
  'staff give back no more of a payment than was paid, each to who paid': [
    payment(100, 0),
    ...[60, 41].map(
      (
        cents,
      ) => `insert into billing_refund (id, user_id, stripe_invoice_id, amount_cents, currency, asked_by_staff_id,
                    status, refunded_cents, created_at, settled_at)
                  values (gen_random_uuid(), ${USER}, 'in_1', ${cents}, 'usd', ${USER}, 'done', ${cents}, now(), now())`,
    ),
  ],
  'a reversal that is done ended its subscription, and refunded or ordered to refund what it had to': [
    subscription('sub_1', APPLICANT, 'canceled'),
    payment(100, 99),
    `insert into billing_reversal (stripe_subscription_id, user_id, reason, refund_from, created_at, done_at)
       values ('sub_1', ${USER}, 'second_subscription', now() - interval '1 day', now(), now())`,
  ],
  'the periods of a membership do not overlap': [
    grant({ from: '-9 days', to: '1 day' }),
    grant({ id: NEXT, from: '0 days' }),
  ],
  'a tier change gives its glasses once': [
    'alter table glass_change drop constraint glass_change_tier_change_id_unique',
    ...[1, 2].map(
      () => `insert into glass_change (id, grant_id, kind, to_tier, glasses, prorated_at, tier_change_id, created_at)
               values (gen_random_uuid(), '${GRANT}', 'tier_change', 'elite', 3, now(), '${NEXT}', now())`,
    ),
  ],
  'a membership that staff ended is over, and nothing is poured in it after its end': [
    `insert into billing_act (id, kind, cause, user_id, membership_id, terms, ends_at, asked_by, asked_by_staff_id, state, created_at)
       select gen_random_uuid(), 'end', 'end', ${USER}, id, '{"ends":"now"}', now(), 'staff', ${USER}, 'set', now()
         from memberships where customer_id = ${MEMBER}`,
  ],
  'a gift is redeemed at most once, paid, and never given back as well': [
    gift(`'redeemed', now(), 'pi_1', 11700, now()`, `(select id from memberships limit 1)`),
    'update gift_membership set refund_asked_at = now()',
  ],
  'a membership that is a gift is paid by nothing else, lasts its months, and gives nothing after them': [
    'alter table memberships drop constraint memberships_gift',
    `update memberships set is_gift = true, ends_on = start_date + 1, monthly_price_cents = 3900 where customer_id = ${MEMBER}`,
  ],
  'at most one checkout, one tier change, one move and one pause of a user are under way': [
    'drop index tier_change_one_asked',
    ...[1, 2].map(
      () => `insert into tier_change (id, user_id, stripe_subscription_id, from_price_id, to_tier, to_price_id, kind, prorated_at,
                 charged_now_cents, status, created_at)
               values (gen_random_uuid(), ${USER}, 'sub_1', 'a', 'elite', 'b', 'upgrade', now(), 1, 'asked', now())`,
    ),
  ],
  'nothing is poured in a pause that no paid month covers': [
    pause('-1 day'),
    `update memberships set stripe_subscription_id = 'sub_1' where customer_id = ${MEMBER}`,
    pour(1),
  ],
  'every id from Stripe belongs to the mode of the database': [
    `insert into billing_customer (user_id, stripe_customer_id, created_at) values (${USER}, 'cus_1', now())`,
  ],
  'an email was sent once for each cause, and what was sent keeps no text': [email('a', `'{}'`, `'sent'`)],
};

class Undo extends Error {}

/** The broken invariants after these statements, which are undone. */
async function brokenAfter(statements: string[]): Promise<string[]> {
  let broken: string[] = [];
  await database.db
    .transaction(async (tx) => {
      const query: Query = (statement) => rowsOf(tx, sql.raw(statement));
      await query(`alter table pours drop constraint pours_quantity`);
      await query('set local session_replication_role = replica');
      for (const statement of statements) await query(statement);
      broken = await brokenInvariants(query, 'UTC');
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  return broken;
}

describe('the invariants', () => {
  it('each name a section of the rules', () => {
    const folder = new URL('../../../docs/rules/', import.meta.url);
    const rules = readdirSync(folder).map((page) => readFileSync(new URL(page, folder), 'utf8'));
    const sections = [...rules.join('\n').matchAll(/^## (.+)$/gm)].map(([, title]) => title);
    expect(INVARIANTS.map(({ rule }) => rule).filter((rule) => !sections.includes(rule))).toEqual([]);
  });

  it('hold for a new venue', async () => {
    expect(await brokenAfter([])).toEqual([]);
  });

  it.each(INVARIANTS.map(({ name }) => name))('detect a violation of: %s', async (name) => {
    const broken = await brokenAfter(BREAKS[name] ?? []);
    expect(broken.filter((line) => line.startsWith(`not true that ${name} (`))).toHaveLength(1);
  });
});
