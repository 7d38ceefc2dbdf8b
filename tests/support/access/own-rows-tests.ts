import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { asMember, MEMBER_GRANTS, MEMBER_ROLE } from '../../../src/server/db/row-security.ts';
import { celebration, given_glasses } from '../../../src/server/db/schema.ts';
import { appSessionOf } from '../fixtures/app-session.ts';
import { BOTTLE, setTierBenefits } from '../fixtures/benefits.ts';
import { shareWith } from '../fixtures/household.ts';
import { applied, cardMember, type Member, pour, RATINGS } from '../fixtures/members.ts';
import { RED_DOT } from '../fixtures/pictures.ts';
import { openWine } from '../fixtures/wines.ts';
import { PASSWORD, type TestApp } from '../harness/app.ts';

const BY_CUSTOMER = 'customer_id in (select id from customers where user_id = $user)';

/** The condition for a user's own rows, for every table that members may read. */
const OWN: Record<string, string> = {
  // The price list is the same for all users.
  tier_definitions: 'true',
  tier_rollover: 'true',
  tier_benefit: 'true',
  tier_benefit_number: 'true',
  // The wine list too.
  wine: 'true',
  wine_picture: 'true',
  profiles: 'id = $user',
  customers: 'user_id = $user',
  memberships: BY_CUSTOMER,
  membership_applications: 'user_id = $user',
  paper_card: BY_CUSTOMER,
  wallet_pass: 'user_id = $user',
  // A holder's balance includes the partner's pours.
  pours: `(${BY_CUSTOMER} or pool_id in (select id from customers where user_id = $user))`,
  pour_voids: `pour_id in (select id from pours where ${BY_CUSTOMER} or pool_id in (select id from customers where user_id = $user))`,
  household_seat: `(${BY_CUSTOMER} or holder_id in (select id from customers where user_id = $user))`,
  guest_glass: `(${BY_CUSTOMER} or pool_id in (select id from customers where user_id = $user))`,
  billing_subscription: 'user_id = $user',
  glass_grant: BY_CUSTOMER,
  glass_change: `grant_id in (select id from glass_grant where ${BY_CUSTOMER})`,
  glass_debit: `grant_id in (select id from glass_grant where ${BY_CUSTOMER})`,
  given_glasses: BY_CUSTOMER,
  celebration: BY_CUSTOMER,
  personal_email_answer: 'user_id = $user',
  sessions: 'user_id = $user',
  refresh_tokens: 'session_id in (select id from sessions where user_id = $user)',
  known_devices: 'user_id = $user',
  passkeys: 'user_id = $user',
  verifications: 'value = $user::text',
  api_clients: 'user_id = $user',
  push_device: 'user_id = $user',
  bar_device: 'opened_by_staff_id = $user',
  email_change: 'user_id = $user',
  imported_account: 'user_id = $user',
  member_taste: 'user_id = $user',
  member_photo: 'user_id = $user',
  pour_rating: BY_CUSTOMER,
  member_palate: BY_CUSTOMER,
};

/** SQLSTATE 42501: insufficient privilege, also for a breach of row security. */
const REFUSED = { cause: { code: '42501' } };

class RolledBack extends Error {}

/** Runs work limited to that user's rows, then rolls it back. */
async function tryAsMember<T>(db: Db, userId: string, work: (own: Db) => Promise<T>): Promise<T> {
  let result: { value: T } | undefined;
  await asMember(db, userId, async (own) => {
    result = { value: await work(own) };
    throw new RolledBack();
  }).catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  if (!result) throw new Error('The work ended without a result');
  return result.value;
}

/** Tests for both databases: even a verb without a filter reaches only its user's own rows. */
export function ownRowsTests(open: () => Promise<TestApp>): void {
  let app: TestApp;
  let db: Db;
  let ada: Member;
  let eve: Member;
  beforeAll(async () => {
    app = await open();
    ({ db } = app.services);
    const staff = await app.staff();
    const barolo = await openWine(staff);
    await db.execute(sql`insert into tier_rollover (tier_name, since, glasses) values ('elite', now(), 3)`);
    await setTierBenefits(staff, [BOTTLE], 'household');
    await staff.must('PUT', `/api/wines/${barolo.id}/picture`, { content: RED_DOT });
    [ada, eve] = [await cardMember(app, 'household'), await cardMember(app, 'household')];
    for (const { caller, customer_id } of [ada, eve]) {
      const { id: glass } = (await pour(staff, customer_id, { wine_id: barolo.id })).body.pour as {
        id: string;
      };
      await caller.must('PUT', `/api/pours/${glass}/rating`, { verdict: 'loved', comment: 'Roses' });
      await caller.must('PUT', '/api/palate/words', { words: { red: 'like' } });
      const second = await pour(staff, customer_id);
      const { id } = second.body.pour as { id: string };
      await staff.must('POST', `/api/pours/${id}/void`, {});
      await db.execute(sql`insert into passkeys (id, user_id, credential_id, public_key, counter, device_type, backed_up)
        values (gen_random_uuid(), ${caller.id}, ${caller.id}, 'key', 0, 'singleDevice', false)`);
      await db.execute(sql`insert into glass_change (id, grant_id, kind, glasses, to_tier, prorated_at, created_at)
        select gen_random_uuid(), id, 'tier_change', 1, tier, valid_from, valid_from from glass_grant
         where customer_id = ${customer_id} and kind = 'period'`);
      const given = { request_id: app.services.newId(), kind: 'comp', glasses: 1, reason: 'a long wait' };
      await staff.must('POST', `/api/customers/${customer_id}/glasses`, given);
      await db.execute(sql`insert into glass_grant (id, customer_id, membership_id, kind, tier, glasses, period, valid_from, valid_until, created_at)
        select gen_random_uuid(), customer_id, membership_id, 'rollover', tier, 1, period + 31, valid_until,
               valid_until + interval '1 month', valid_until
          from glass_grant where customer_id = ${customer_id} and kind = 'period'`);
      await db.execute(sql`insert into celebration (customer_id, occasion, kind, day, created_at)
        values (${customer_id}, 'hundredth', 'hundredth', current_date, now())`);
      await caller.must('PUT', '/api/personal-emails/own', { wanted: false, place: 'account' });
      // A trusted device, as the auth library stores it.
      await db.execute(sql`insert into verifications (id, identifier, value, expires_at)
        values (gen_random_uuid(), ${caller.id}, ${caller.id}, now() + interval '1 day')`);
      await caller.must('POST', '/api/paper-cards', {});
      await db.execute(sql`insert into wallet_pass (id, user_id, customer_id, platform, content_hash, updated_at, created_at)
        values (gen_random_uuid(), ${caller.id}, ${customer_id}, 'apple', '', now(), now())`);
      await caller.must('POST', '/api/api-clients', { name: 'Till', password: PASSWORD });
      await appSessionOf(app, caller);
      await caller.must('POST', '/api/push-devices', {
        endpoint: `https://push.example.com/${caller.id}`,
        keys: { p256dh: 'x'.repeat(87), auth: 'x'.repeat(22) },
      });
      const email = `new-${caller.id}@example.test`;
      await caller.must('POST', '/api/auth/email-change', { email, password: PASSWORD });
      await caller.must('PUT', '/api/profile/taste', RATINGS);
      await caller.must('PUT', '/api/profile/photo', { content: RED_DOT, agreed: true });
      // From the user's time as staff.
      await db.execute(sql`insert into bar_device (id, name, token_hash, idle_minutes, opened_by_staff_id, opened_at, ended_at)
        values (gen_random_uuid(), 'Bar', ${caller.id}, 5, ${caller.id}, now(), now())`);
      await db.execute(sql`insert into guest_glass (id, customer_id, pool_id, created_at, expires_at)
        values (gen_random_uuid(), ${customer_id}, ${customer_id}, now(), now())`);
      await shareWith(app, { caller, customer_id });
      await db.execute(sql`insert into imported_account (user_id, imported_at) values (${caller.id}, now())`);
    }
  });
  afterAll(() => app.close());

  const tables = async () =>
    (
      await rowsOf<{ name: string }>(
        db,
        sql`select tablename as name from pg_tables where schemaname = 'public'`,
      )
    ).map((it) => it.name);
  const readable = async (table: string) =>
    (
      await rowsOf<{ name: string }>(
        db,
        sql`select column_name as name from information_schema.columns
             where table_schema = 'public' and table_name = ${table}
               and has_column_privilege(${MEMBER_ROLE}, table_name::text, column_name::text, 'select')
             order by ordinal_position`,
      )
    ).map((it) => it.name);
  const rowsWith = async (which: Db, table: string, columns: string[], where = 'true') =>
    (
      await rowsOf<{ row: string }>(
        which,
        sql.raw(`select to_jsonb(r)::text as row from
          (select ${columns.join(', ')} from ${table} where ${where}) r order by 1`),
      )
    ).map((it) => it.row);
  const of = (userId: string, table: string) =>
    (OWN[table] ?? 'false').replaceAll('$user', `'${userId}'::uuid`);

  it('a select without a filter returns exactly one’s own rows of every readable table', async () => {
    for (const table of Object.keys(OWN)) {
      const columns = await readable(table);
      for (const { caller } of [ada, eve]) {
        const expected = await rowsWith(db, table, columns, of(caller.id, table));
        const seen = await asMember(db, caller.id, (own) => rowsWith(own, table, columns));
        expect(expected.length, table).toBeGreaterThan(0);
        expect(seen, table).toEqual(expected);
      }
    }
  });

  it('members can read no other table', async () => {
    const others = (await tables()).filter((table) => !(table in OWN));
    expect(others).toContain('accounts');
    for (const table of others) {
      const read = asMember(db, ada.caller.id, (own) => own.execute(sql.raw(`select 1 from ${table}`)));
      await expect(read, table).rejects.toMatchObject(REFUSED);
    }
    expect(Object.keys(MEMBER_GRANTS).sort()).toEqual(Object.keys(OWN).sort());
  });

  it('members cannot read tokens, secrets, what a wine costs, or by whom and why glasses were given or a pour voided', async () => {
    for (const column of [
      'sessions.token',
      'refresh_tokens.token_hash',
      'api_clients.secret_hash',
      'guest_glass.token_hash',
      'given_glasses.reason',
      'given_glasses.given_by_staff_id',
      'pour_voids.reason',
      'wine.cost_cents',
      'pour_voids.voided_by_staff_id',
    ]) {
      const [table, name] = column.split('.');
      const read = asMember(db, ada.caller.id, (own) => own.execute(sql.raw(`select ${name} from ${table}`)));
      await expect(read, column).rejects.toMatchObject(REFUSED);
    }
  });

  it('a partner reads the balance of their own household, and of no other', async () => {
    const balance = (user: string, partner: string) =>
      tryAsMember(db, user, (own) =>
        rowsOf<{ access: boolean; period_pours: number }>(
          own,
          sql`select access, period_pours from member_allowance(${partner}::uuid, ${app.clock.now().toISOString()}::timestamptz, 'UTC')`,
        ),
      );
    const [seat] = await rowsOf<{ seat: string; id: string; user_id: string }>(
      db,
      sql`select h.id as seat, c.id, c.user_id from household_seat h join customers c on c.id = h.customer_id where h.holder_id = ${ada.customer_id}`,
    );
    const [user, partner] = [seat?.user_id ?? '', seat?.id ?? ''];
    expect(await balance(user, partner)).toEqual([{ access: true, period_pours: 22 }]);
    expect(await balance(eve.caller.id, partner)).toEqual([]);
    const lent = (who: string) =>
      tryAsMember(db, who, (own) =>
        rowsOf(own, sql`select 1 from partner_allowance(${partner}::uuid, now(), 'UTC')`),
      );
    expect([(await lent(user)).length, (await lent(eve.caller.id)).length]).toEqual([1, 0]);
    const with_whom = (who: string) =>
      tryAsMember(db, who, (own) => rowsOf(own, sql`select 1 from household_of(${partner}::uuid)`));
    expect([(await with_whom(user)).length, (await with_whom(eve.caller.id)).length]).toEqual([1, 0]);
    const benefits = (who: string) =>
      tryAsMember(db, who, (own) =>
        rowsOf<{ pool: string | null }>(
          own,
          sql`select benefit_facts(${partner}::uuid, now(), 'UTC')->>'pool' as pool`,
        ),
      );
    expect([await benefits(user), await benefits(eve.caller.id)]).toEqual([
      [{ pool: ada.customer_id }],
      [{ pool: null }],
    ]);
    const rolled = (who: string) =>
      tryAsMember(db, who, (own) => rowsOf(own, sql`select 1 from shared_rollovers(${partner}::uuid)`));
    expect([(await rolled(user)).length, (await rolled(eve.caller.id)).length]).toEqual([1, 0]);
    const given_id = await givenForBirthday(ada.customer_id, partner);
    const given = (who: string) =>
      tryAsMember(db, who, (own) =>
        rowsOf(own, sql`select celebrated_glasses(${partner}::uuid, ${given_id}::uuid) as glasses`),
      );
    expect([await given(user), await given(eve.caller.id)]).toEqual([[{ glasses: 2 }], [{ glasses: null }]]);
    await db.execute(sql`select end_household_seat(${seat?.seat}::uuid, 'holder', now())`);
    const former = (who: string) =>
      tryAsMember(db, who, (own) => rowsOf(own, sql`select 1 from former_household(${partner}::uuid)`));
    expect([(await former(user)).length, (await former(eve.caller.id)).length]).toEqual([1, 0]);
  });

  /** Two glasses in the holder's pool for a partner's birthday. Returns the id of the given glasses. */
  async function givenForBirthday(holder: string, partner: string): Promise<string> {
    const [id, at] = [app.services.newId(), app.clock.now()];
    const given = { id, request_id: app.services.newId(), glasses: 2, created_at: at };
    await db
      .insert(given_glasses)
      .values({ ...given, customer_id: holder, kind: 'celebration', reason: 'Birthday' });
    const birthday = { kind: 'birthday', occasion: 'birthday:2026', years: null } as const;
    await db
      .insert(celebration)
      .values({ ...birthday, customer_id: partner, given_id: id, day: '2026-06-01', created_at: at });
    return id;
  }

  it('a member makes the update of their own pass due, and of no other', async () => {
    const marked = async (who: string) => {
      await db.execute(sql`update deliveries set due_at = now() where kind = 'wallet'`);
      await asMember(db, who, (own) => own.execute(sql`select mark_passes(${ada.caller.id}::uuid)`));
      const due = sql`user_id = ${ada.caller.id}::uuid and kind = 'wallet' and due_at is null`;
      return rowsOf(db, sql`select id from deliveries where ${due}`);
    };
    expect(await marked(ada.caller.id)).toHaveLength(1);
    expect(await marked(eve.caller.id)).toEqual([]);
  });

  it('a member reads what a month of their own year cost, and of no other', async () => {
    const months = async (who: string) => {
      let costs: { cents: number }[] = [];
      await db
        .transaction(async (tx) => {
          await tx.execute(sql`
            insert into dues (id, request_id, customer_id, membership_id, kind, amount_cents, months, method, paid_on, paid_from,
                              paid_until, created_at)
            select gen_random_uuid(), gen_random_uuid(), customer_id, id, 'payment', 39000, 12, 'online', start_date, start_date,
                   start_date + 365, now() from memberships where customer_id = ${ada.customer_id} and status = 'active'`);
          const [membership] = await rowsOf<{ id: string }>(
            tx,
            sql`update memberships set paid_until = start_date + 365, grace_until = start_date + 372, paid_months = 12, stripe_subscription_id = null
                 where customer_id = ${ada.customer_id} and status = 'active' returning id`,
          );
          await tx.execute(
            sql`select set_config('cellar_door.actor', ${who}, true), set_config('role', ${MEMBER_ROLE}, true)`,
          );
          costs = await rowsOf(
            tx,
            sql`select month_cents::integer as cents from last_payment(${membership?.id}::uuid)`,
          );
          throw new RolledBack();
        })
        .catch((error: unknown) => {
          if (!(error instanceof RolledBack)) throw error;
        });
      return costs;
    };
    expect(await months(ada.caller.id)).toEqual([{ cents: 3250 }]);
    expect(await months(eve.caller.id)).toEqual([]);
  });

  /** Functions that are not triggers check the caller, as the tests above show. */
  const LENT = [
    'benefit_facts',
    'celebrated_glasses',
    'former_household',
    'household_of',
    'last_payment',
    'mark_passes',
    'partner_allowance',
    'shared_rollovers',
  ];

  it("only triggers and what is on the list run with their owner's rights, with a fixed search_path", async () => {
    const lent = await rowsOf<{ name: string }>(
      db,
      sql`select proname as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
             and (prorettype <> 'trigger'::regtype or not coalesce(proconfig::text like '%search_path=%', false))`,
    );
    expect(lent.map(({ name }) => name).sort()).toEqual(LENT);
    const loose = await rowsOf(
      db,
      sql`select proname from pg_proc where prosecdef and pronamespace = 'public'::regnamespace
             and not coalesce(proconfig::text like '%search_path=%', false)`,
    );
    expect(loose).toEqual([]);
  });

  describe('writing', () => {
    const statement = (text: string) =>
      tryAsMember(db, ada.caller.id, (own) => rowsOf<{ id: string }>(own, sql.raw(text)));
    const newApplication = (user: string, more = "'pending', null") =>
      `insert into membership_applications (id, user_id, status, reviewed_by_staff_id, created_at, updated_at)
       values (gen_random_uuid(), '${user}', ${more}, now(), now()) returning id`;

    it('without a filter changes and deletes only one’s own rows', async () => {
      expect(await statement(`update profiles set phone = '1' returning id`)).toEqual([
        { id: ada.caller.id },
      ]);
      const ended = await statement('delete from sessions returning id');
      const own = await rowsOf(db, sql`select id from sessions where user_id = ${ada.caller.id}`);
      expect(ended).toEqual(own);
      expect(await statement('delete from verifications returning value as id')).toEqual([
        { id: ada.caller.id },
      ]);
    });

    it('adds only one’s own rows', async () => {
      expect(await statement(newApplication(ada.caller.id))).toHaveLength(1);
      await expect(statement(newApplication(eve.caller.id))).rejects.toMatchObject(REFUSED);
    });

    it('cannot approve an application or set its reviewer', async () => {
      await expect(statement(newApplication(ada.caller.id, "'approved', null"))).rejects.toMatchObject(
        REFUSED,
      );
      const reviewed = newApplication(ada.caller.id, `'pending', '${ada.caller.id}'`);
      await expect(statement(reviewed)).rejects.toMatchObject(REFUSED);
      const approved = 'update membership_applications set is_complete = false';
      await expect(statement(approved)).rejects.toMatchObject(REFUSED);
    });

    it.each([
      `update membership_applications set status = 'approved'`,
      `update membership_applications set user_id = id`,
      `update profiles set email = 'ada@example.test'`,
      `update customers set status = 'active'`,
      `update memberships set monthly_price_cents = 0`,
      `update sessions set expires_at = now()`,
      `update paper_card set proof_hash = ''`,
      `update wallet_pass set user_id = id`,
      `delete from customers`,
      `delete from pour_rating`,
      `update pour_rating set customer_id = gen_random_uuid()`,
      `insert into pour_rating (pour_id, customer_id, answered_at) select gen_random_uuid(), id, now() from customers`,
      `update wine set state = 'gone'`,
      `delete from profiles`,
      `insert into pour_voids (pour_id) select id from pours`,
      `insert into user_roles (user_id, role) values (gen_random_uuid(), 'staff')`,
    ])('is refused: %s', async (text) => {
      await expect(statement(text)).rejects.toMatchObject(REFUSED);
    });
  });

  it('without a user, or with an unknown one, no rows are visible', async () => {
    for (const actor of ['', '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f']) {
      for (const table of Object.keys(OWN).filter((it) => OWN[it] !== 'true')) {
        const columns = await readable(table);
        expect(await asMember(db, actor, (own) => rowsWith(own, table, columns)), table).toEqual([]);
      }
    }
    const unset = await db.transaction(async (tx) => {
      await tx.execute(sql.raw(`set local role ${MEMBER_ROLE}`));
      return rowsWith(tx, 'profiles', ['id']);
    });
    expect(unset).toEqual([]);
  });

  it('the next use of the connection has its own role and no user, even after an error', async () => {
    const failing = [
      () => asMember(db, ada.caller.id, async (own) => rowsWith(own, 'profiles', ['id'])),
      () => asMember(db, ada.caller.id, (own) => own.execute(sql`select * from accounts`)),
      () => asMember(db, ada.caller.id, () => Promise.reject(new RolledBack())),
      () => asMember(db, ada.caller.id, (own) => own.transaction(() => Promise.reject(new RolledBack()))),
    ];
    for (const work of failing) {
      // One call for each connection of the pool, so that all are used.
      await Promise.allSettled(Array.from({ length: 10 }, work));
      const after = await Promise.all(
        Array.from({ length: 10 }, () =>
          rowsOf<{ own: boolean; actor: string | null; profiles: number }>(
            db,
            sql`select current_user = session_user as own, current_setting('cellar_door.actor', true) as actor,
                       (select count(*)::integer from profiles) as profiles`,
          ),
        ),
      );
      for (const [row] of after) {
        expect(row?.own).toBe(true);
        expect(row?.actor || null).toBeNull();
        expect(row?.profiles).toBeGreaterThan(2);
      }
    }
  });

  it('members who query at the same time each see their own rows', async () => {
    const members = Array.from({ length: 20 }, (_, n) => (n % 2 ? ada : eve));
    const seen = await Promise.all(
      members.map((it) => it.caller.must<{ customer: { id: string } }>('GET', '/api/customers/own')),
    );
    expect(seen.map((it) => it.customer.id)).toEqual(members.map((it) => it.customer_id));
  });

  it('a refused statement rolls back alone, so an application saved five times at once is one', async () => {
    const applicant = await app.customer();
    const ids = await Promise.all(Array.from({ length: 5 }, () => applied(applicant)));
    expect(new Set(ids).size).toBe(1);
  });
}
