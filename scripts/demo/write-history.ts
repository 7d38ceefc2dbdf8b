import { SURVEY_RATINGS } from '../../src/domain/application.ts';
import { addDays, localDate, startOfDay } from '../../src/domain/calendar.ts';
import { pourReference } from '../../src/domain/pour.ts';
import { DEMO_ACCOUNTS } from '../../src/server/auth/demo-accounts.ts';
import type { Services } from '../../src/server/context.ts';
import type { Tx } from '../../src/server/db/client.ts';
import { sql } from '../../src/server/db/orm.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { chanceFrom } from './chance.ts';
import { FIRST_MEMBERS } from './demo-seed.ts';
import { type MemberStory, OPENED_DAYS_AGO, type Tier, tellMembers } from './member-story.ts';
import { type PouredStory, tellPours } from './pour-story.ts';
import { verdictOn } from './verdicts.ts';
import { WINE_WEIGHTS } from './wines.ts';
import { writeDues } from './write-dues.ts';
import { writeLedger } from './write-ledger.ts';

const MEMBERS = 150;
const SEED = 1855;
/** A separate seed for the wines, so that the rest of the story is the same with and without them. */
const WINE_SEED = 1976;
/** Staff name the wine four times out of five. */
const NAMED = 0.8;
/** A separate seed for verdicts on wines, for the same reason. */
const OPINION_SEED = 1973;
const MINUTE_MS = 60_000;
/** Members who got a glass within these hours are still asked about it. */
const ASKED_FOR_HOURS = 12;
const isOfTonight = (at: Date, now: Date) => now.getTime() - at.getTime() < ASKED_FOR_HOURS * 60 * MINUTE_MS;
const answered = (at: Date) => new Date(at.getTime() + 95 * MINUTE_MS);

/** Bartenders have no password: they pour but cannot sign in. */
const BARTENDERS = [
  { first: 'Rafael', last: 'Mendonça', email: 'rafael@demo.test' },
  { first: 'Sunniva', last: 'Aasen', email: 'sunniva@demo.test' },
  { first: 'Kwame', last: 'Asante', email: 'kwame@demo.test' },
];

type Row = Record<string, unknown>;

/**
 * The story is the same in every installation, counted back from today, but the ids are new. Does nothing in a demo with
 * more members than it began with, such as after the first run.
 */
export async function writeHistory(services: Services): Promise<void> {
  const { db } = services;
  const timeZone = services.venue.time_zone;
  const now = services.now();
  await db.transaction(async (tx) => {
    const [owner] = await rowsOf<{ id: string }>(
      tx,
      sql`select p.id from profiles p
           where p.email = ${DEMO_ACCOUNTS.staff}
             and not exists (select from customers c join profiles m on m.id = c.user_id
                              where m.email not in (select jsonb_array_elements_text(${JSON.stringify(FIRST_MEMBERS)}::jsonb)))`,
    );
    if (!owner) return;
    const tiers = await rowsOf<Tier>(
      tx,
      sql`select tier_name as name, monthly_pours as glasses, monthly_price_cents as price_cents
            from tier_definitions where is_active order by monthly_price_cents`,
    );
    const chance = chanceFrom(SEED);
    const members = tellMembers(MEMBERS, tiers, localDate(now, timeZone), chance);
    const pours = tellPours(members, tiers, { now, timeZone }, chance);
    const since = addDays(localDate(now, timeZone), -OPENED_DAYS_AGO);
    const staff = await writeStaff(tx, services, owner.id, since);
    const customers = await writeMembers(tx, services, { members, poured: pours, ownerId: owner.id });
    await writePours(tx, services, { members, poured: pours, customers, staff });
    const { grace_days } = services.club.current();
    await writeDues(tx, { now, timeZone, grace_days, recorded_by: owner.id });
    await writeLedger(tx, { now, timeZone });
    await writeAnswers(tx);
    await writeMailing(tx, owner.id, now);
  });
}

async function writeAnswers(tx: Tx): Promise<void> {
  await tx.execute(
    sql`insert into personal_email_answer (user_id, wanted, place, answered_at)
        select c.user_id, row_number() over (order by c.member_since, p.email) % 5 <> 0, 'dashboard', c.created_at
          from customers c join profiles p on p.id = c.user_id
        on conflict do nothing`,
  );
}

/** An email that went to everyone who agreed, nine days ago. */
async function writeMailing(tx: Tx, owner_id: string, now: Date): Promise<void> {
  const at = sql`${new Date(now.getTime() - 9 * 24 * 60 * MINUTE_MS).toISOString()}::timestamptz`;
  await tx.execute(
    sql`with sent as (
          insert into mailing (id, request_id, subject, text, about_opening, recipients, sent_by_staff_id, created_at, finished_at)
          select gen_random_uuid(), gen_random_uuid(), 'Six new wines from the Jura',
                 E'Six bottles from the Jura are open, {first_name}: two reds, three whites and a straw wine.\n\nCome by before they’re gone.',
                 false, count(*)::integer, ${owner_id}::uuid, ${at}, ${at} + interval '2 minutes'
            from customers c join personal_email_answer a on a.user_id = c.user_id and a.wanted where c.created_at < ${at}
          returning id
        )
        insert into mailing_recipient (mailing_id, customer_id, emailed_at)
        select sent.id, c.id, ${at} + interval '1 minute'
          from sent, customers c join personal_email_answer a on a.user_id = c.user_id and a.wanted where c.created_at < ${at}`,
  );
}

async function insert(tx: Tx, table: string, rows: Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  if (columns.length === 0) return;
  const names = sql.raw(columns.join(', '));
  await tx.execute(
    sql`insert into ${sql.raw(table)} (${names})
        select ${names} from jsonb_populate_recordset(null::${sql.raw(table)}, ${JSON.stringify(rows)}::jsonb)`,
  );
}

const profileRow = (
  id: string,
  { first, last, email }: { first: string; last: string; email: string },
  at: Date,
) => ({
  id,
  name: `${first} ${last}`,
  email,
  email_verified: true,
  first_name: first,
  last_name: last,
  two_factor_enabled: false,
  created_at: at,
  updated_at: at,
});

/** Returns the ids of staff who pour: the owner and three bartenders. */
async function writeStaff(
  tx: Tx,
  { newId, venue }: Services,
  ownerId: string,
  since: string,
): Promise<string[]> {
  const rows = BARTENDERS.map((it) => profileRow(newId(), it, startOfDay(since, venue.time_zone)));
  await insert(tx, 'profiles', rows);
  const ids = rows.map(({ id }) => id);
  await tx.execute(
    sql`update user_roles set role = 'staff' where user_id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)::uuid)`,
  );
  return [ownerId, ...ids];
}

interface Club {
  members: MemberStory[];
  poured: PouredStory[];
  ownerId: string;
}

/** Returns the customer ids, in the order of the members. */
async function writeMembers(
  tx: Tx,
  { newId, venue }: Services,
  { members, poured, ownerId }: Club,
): Promise<string[]> {
  const rows = {
    profiles: [] as Row[],
    customers: [] as Row[],
    memberships: [] as Row[],
    applications: [] as Row[],
    reasons: [] as Row[],
  };
  const glasses = members.map(() => 0);
  const lastSeen: (Date | null)[] = members.map(() => null);
  for (const { member, at, quantity, void_reason } of poured) {
    if (void_reason === null) glasses[member] = (glasses[member] ?? 0) + quantity;
    lastSeen[member] = at;
  }
  const customerIds = members.map((member, place) => {
    const [first] = member.stays;
    const current = member.stays.at(-1);
    if (!first || !current) throw new Error('Every member joined once');
    const user_id = newId();
    const id = newId();
    // Members apply some days earlier, and are approved at noon.
    const noon = (day: string) => new Date(startOfDay(day, venue.time_zone).getTime() + 12 * 60 * MINUTE_MS);
    const applied = (day: string) => new Date(noon(day).getTime() - (1 + (place % 4)) * 1_000 * MINUTE_MS);
    rows.profiles.push({ ...profileRow(user_id, member, applied(first.from)), phone: member.phone });
    rows.customers.push({
      id,
      user_id,
      tier: current.tier,
      status: current.until ? 'inactive' : 'active',
      member_since: current.from,
      total_pours_lifetime: glasses[place],
      last_activity: lastSeen[place],
      signed_up_by_staff_id: ownerId,
      created_at: noon(first.from),
    });
    for (const [number, { from, until, tier, price_cents, reason }] of member.stays.entries()) {
      const membership_id = newId();
      if (reason && until) rows.reasons.push({ membership_id, reason, created_at: noon(until) });
      rows.memberships.push({
        id: membership_id,
        customer_id: id,
        tier,
        start_date: from,
        end_date: until,
        status: until ? 'ended' : 'active',
        monthly_price_cents: price_cents,
        recorded_by_staff_id: ownerId,
        toast_reference_number: `T-${10_000 + place * 3 + number}`,
      });
      rows.applications.push({
        id: newId(),
        user_id,
        status: 'approved',
        is_complete: true,
        selected_tier: tier,
        current_step: 2,
        preferences: Object.fromEntries(SURVEY_RATINGS.map((key, at) => [key, member.ratings[at]])),
        rated: SURVEY_RATINGS,
        created_at: applied(from),
        updated_at: noon(from),
        reviewed_at: noon(from),
        reviewed_by_staff_id: ownerId,
      });
    }
    return id;
  });
  await insert(tx, 'profiles', rows.profiles);
  await insert(tx, 'customers', rows.customers);
  await insert(tx, 'memberships', rows.memberships);
  await insert(tx, 'leaving_reason', rows.reasons);
  await insert(tx, 'membership_applications', rows.applications);
  return customerIds;
}

interface Ledger {
  members: MemberStory[];
  poured: PouredStory[];
  customers: string[];
  staff: string[];
}

async function writePours(
  tx: Tx,
  { newId, now }: Services,
  { members, poured, customers, staff }: Ledger,
): Promise<void> {
  const wines = await rowsOf<{
    id: string;
    color: string;
    bottle_id: string | null;
    opened_at: number | null;
  }>(
    tx,
    sql`select w.id, w.color, b.id as bottle_id, (extract(epoch from b.opened_at) * 1000)::float8 as opened_at
          from wine w left join bottle b on b.wine_id = w.id and b.finished_at is null order by w.position`,
  );
  const chance = chanceFrom(WINE_SEED);
  const opinions = chanceFrom(OPINION_SEED);
  const ratings: Row[] = [];
  const weighed = wines.map((it, at) => [it, WINE_WEIGHTS[at] ?? 1] as const);
  const pours: Row[] = [];
  const voids: Row[] = [];
  for (const { member, bartender, at, quantity, location, notes, void_reason } of poured) {
    const id = newId();
    const wine = wines.length > 0 && chance.is(NAMED) ? chance.pick(weighed) : null;
    const recorded_by_staff_id = staff[bartender];
    pours.push({
      id,
      request_id: newId(),
      customer_id: customers[member],
      quantity,
      location,
      notes,
      toast_reference_number: pourReference(at),
      status: 'redeemed',
      recorded_by_staff_id,
      created_at: at,
      wine_id: wine?.id ?? null,
      // Earlier bottles were finished long ago.
      bottle_id: wine?.opened_at && wine.opened_at <= at.getTime() ? wine.bottle_id : null,
    });
    const teller = members[member];
    if (wine && teller && void_reason === null && !isOfTonight(at, now())) {
      const verdict = verdictOn(teller, member, wine.color, opinions);
      if (verdict)
        ratings.push({ pour_id: id, customer_id: customers[member], ...verdict, answered_at: answered(at) });
    }
    if (void_reason !== null) {
      const created_at = new Date(at.getTime() + 5 * MINUTE_MS);
      voids.push({ pour_id: id, reason: void_reason, voided_by_staff_id: recorded_by_staff_id, created_at });
    }
  }
  // No page is open yet to be notified, and this trigger would take as long as everything else.
  await tx.execute(sql`alter table pours disable trigger announce_pour`);
  await insert(tx, 'pours', pours);
  await tx.execute(sql`alter table pours enable trigger announce_pour`);
  await insert(tx, 'pour_voids', voids);
  await insert(tx, 'pour_rating', ratings);
}
