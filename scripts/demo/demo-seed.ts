import type { SurveyPreferences } from '../../src/contract/applications.ts';
import { SURVEY_RATINGS } from '../../src/domain/application.ts';
import { addDays, addMonths, type LocalDate, localDate, startOfDay } from '../../src/domain/calendar.ts';
import type { Benefit } from '../../src/domain/membership/benefit.ts';
import type { DuesMonths } from '../../src/domain/membership/dues.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../src/server/auth/demo-accounts.ts';
import { hashPassword } from '../../src/server/auth/password/hash.ts';
import type { Ctx, Services } from '../../src/server/context.ts';
import type { Tx } from '../../src/server/db/client.ts';
import { eq, sql } from '../../src/server/db/orm.ts';
import { accounts, profiles, user_roles } from '../../src/server/db/schema.ts';
import { approveApplication } from '../../src/server/membership/application-reviews.ts';
import { saveApplication } from '../../src/server/membership/applications.ts';
import { benefitsOfTiers } from '../../src/server/membership/tier-benefits.ts';
import { updateTier } from '../../src/server/membership/tier-settings.ts';
import { takeBenefit } from '../../src/server/pours/benefits.ts';
import { recordPour } from '../../src/server/pours/pours.ts';
import { updateOwnPersonalEmails } from '../../src/server/reports/at-risk/personal-emails.ts';
import { type Card, moveToCard, type Payments, whileSubscribing } from './first-payer.ts';
import { writeWines } from './wines.ts';

const MINUTE_MS = 60_000;
/** A minute while the bar is open, from four in the afternoon; different each time. */
const evening = (nth: number) => 16 * 60 + ((41 + nth * 97) % 400);

interface DemoMember {
  first: string;
  last: string;
  email: string;
  tier: string;
  /** Days ago; null while the application is pending. */
  joined: number | null;
  /** The months of their first payment, which lasts until after today. */
  months: DuesMonths;
  /** Answers in the order of SURVEY_RATINGS. */
  ratings: number[];
}

const ROWS: [string, string, string, string, DemoMember['joined'], DuesMonths, DemoMember['ratings']][] = [
  ['Marguerite', 'Okafor', DEMO_ACCOUNTS.member, 'premier', 131, 6, [6, 7, 8, 5, 9]],
  ['Tobias', 'Lindqvist', 'tobias@demo.test', 'select', 96, 12, [3, 4, 5, 7, 4]],
  ['Inés', 'Carvalho', 'ines@demo.test', 'elite', 345, 12, [9, 8, 9, 6, 8]],
  ['Wren', 'Abernathy', 'wren@demo.test', 'household', 40, 3, [5, 6, 4, 8, 7]],
  ['Hideo', 'Tanaka', 'hideo@demo.test', 'premier', 12, 1, [7, 5, 7, 7, 6]],
  ['Saoirse', 'Byrne', 'saoirse@demo.test', 'elite', null, 1, [4, 6, 3, 9, 8]],
  ['Luca', 'Fontana', 'luca@demo.test', 'select', null, 1, [8, 9, 10, 4, 5]],
];
const MEMBERS = ROWS.map(
  ([first, last, email, tier, joined, months, ratings]): DemoMember => ({
    first,
    last,
    email,
    tier,
    joined,
    months,
    ratings,
  }),
);

/** What twelve months cost at once: ten. Of the members above, one is within a year, and the year of another ends soon. */
const YEARS = { select: 39_000, premier: 69_000, elite: 109_000 };

/** What two tiers give beside their pours; the first member of `elite` took her bottle. */
const BENEFITS: Record<string, Benefit[]> = {
  premier: [
    { words: 'Bottle of the month', every: 'month', number: 1 },
    { words: '10 % off bottles to take home', every: null, number: null },
  ],
  elite: [
    { words: 'Bottle of the month', every: 'month', number: 1 },
    { words: 'Seat at a winemaker’s dinner', every: 'quarter', number: 1 },
    { words: '15 % off bottles to take home', every: null, number: null },
  ],
};

/** The rollover limit of the demo member's tier, so that their dashboard shows rolled-over glasses. */
const ROLLS_OVER = { tier: 'premier', glasses: 3 };

export const FIRST_MEMBERS = MEMBERS.map(({ email }) => email);

/** The demo member's pours: days ago, glasses, place, and the wine's index in the list, if recorded. */
const POURS: [number, number, 'bar' | 'tasting_room' | 'event' | 'restaurant', number?][] = [
  [124, 2, 'tasting_room'],
  [117, 1, 'bar'],
  [103, 2, 'restaurant'],
  [89, 3, 'event'],
  [75, 1, 'bar', 6],
  [61, 2, 'tasting_room', 0],
  [52, 2, 'bar', 1],
  [33, 1, 'bar', 2],
  [24, 2, 'restaurant', 8],
  [3, 1, 'bar', 0],
];

export const hashDemoPassword = () => hashPassword(DEMO_PASSWORD);

/**
 * Calls the verbs of staff and members at times in the past, in one transaction, then lets the first member's subscription
 * renew: an interrupted start leaves nothing, or a demo without what this member drank since. Does nothing if the demo
 * exists. `passwordHash` is the hash of everyone's password, if hashing has begun.
 */
export async function seedDemo(
  services: Services,
  payments: Payments,
  passwordHash?: Promise<string>,
): Promise<void> {
  if (await isSeeded(services)) return;
  const [payer] = MEMBERS;
  if (!payer?.joined) throw new Error('The first member has joined');
  const start = services.now();
  // The clock is set back meanwhile, for billing alone.
  const current = { ...services, now: () => start };
  const { joined } = payer;
  const { user_id, pourSince } = await whileSubscribing(
    current,
    payments,
    { ...payer, joined },
    async (card) => {
      // The password is hashed while the sandbox answers.
      const password = await (passwordHash ?? hashDemoPassword());
      return services.db.transaction(async (tx) => {
        // Postgres plans a statement at each of its first five calls, which takes longer than running it.
        await tx.execute(sql`set local plan_cache_mode = force_generic_plan`);
        return seed({ ...current, db: tx }, tx, password, card);
      });
    },
  );
  await services.billing.reconcile(user_id);
  await pourSince(current);
}

async function isSeeded({ db }: Services): Promise<boolean> {
  const [staff] = await db
    .select({ id: profiles.id })
    .from(profiles)
    .where(eq(profiles.email, DEMO_ACCOUNTS.staff));
  return staff !== undefined;
}

/** Returns the first member, and records what was poured for them since the subscription was renewed. */
async function seed(services: Services, tx: Tx, password: string, card: Card) {
  const { db, newId } = services;
  const today = localDate(services.now(), services.venue.time_zone);
  const ago = (days: number, nth = 0): Services => {
    const midnight = startOfDay(addDays(today, -days), services.venue.time_zone).getTime();
    return { ...services, now: () => new Date(midnight + evening(nth) * MINUTE_MS) };
  };
  const owner = { id: newId(), first: 'Noor', last: 'Haddad', email: DEMO_ACCOUNTS.staff, at: ago(400) };
  const bartender = {
    id: newId(),
    first: 'Jonas',
    last: 'Weber',
    email: DEMO_ACCOUNTS.bartender,
    at: ago(60),
  };
  const members = MEMBERS.map((member, nth) => ({
    ...member,
    id: newId(),
    at: ago(member.joined ?? 2, nth),
  }));
  await register(services, [owner, bartender, ...members], password);
  // The owner comes first and so gets every permission.
  for (const { id } of [owner, bartender]) {
    await db.update(user_roles).set({ role: 'staff' }).where(eq(user_roles.user_id, id));
  }
  const staff = { user_id: owner.id, role: 'staff' as const, device: 'Chrome on Windows' };
  // Set before anyone joins, so that it applies to their first month.
  await updateTier({ ...owner.at, actor: staff }, ROLLS_OVER.tier, { rollover_glasses: ROLLS_OVER.glasses });
  for (const [tier, yearly_price_cents] of Object.entries(YEARS))
    await updateTier({ ...owner.at, actor: staff }, tier, { yearly_price_cents });
  for (const [tier, benefits] of Object.entries(BENEFITS))
    await updateTier({ ...owner.at, actor: staff }, tier, { benefits });
  const wines = await writeWines(services);
  const customers = new Map<string, string>();
  for (const member of members) {
    const actor = { user_id: member.id, role: 'customer' as const };
    const customer_id = await join({ ...member.at, actor }, member, staff);
    if (!customer_id) continue;
    customers.set(member.email, customer_id);
    await updateOwnPersonalEmails({ ...member.at, actor }, { wanted: true, place: 'dashboard' });
  }
  const { id: user_id = '', tier = '' } = members[0] ?? {};
  const customer_id = customers.get(DEMO_ACCOUNTS.member) ?? '';
  const pours = POURS.map(([days, quantity, location, place = -1], nth) => {
    const at = ago(days, MEMBERS.length + nth).now();
    const request_id = `00000000-0000-7000-8000-${String(nth).padStart(12, '0')}`;
    const wine_id = wines[place];
    return { at, draft: { request_id, customer_id, quantity, location, ...(wine_id && { wine_id }) } };
  });
  const pourBetween = async (ctx: Services, from: number, until: number) => {
    for (const { at, draft } of pours.filter((it) => from <= it.at.getTime() && it.at.getTime() < until))
      await recordPour({ ...ctx, now: () => at, actor: staff }, draft);
  };
  const elite = customers.get('ines@demo.test') ?? '';
  const [bottle] = (await benefitsOfTiers(tx)).get('elite') ?? [];
  await takeBenefit(
    { ...ago(1, MEMBERS.length), actor: staff },
    { request_id: newId(), customer_id: elite, benefit_id: bottle?.id ?? '' },
  );
  const midnight = (day: LocalDate) => startOfDay(day, services.venue.time_zone).getTime();
  const start = midnight(card.since);
  const renewal = midnight(addMonths(card.since, 1));
  await pourBetween(services, 0, start);
  await moveToCard(tx, services, { user_id, customer_id, tier }, card);
  await pourBetween(services, start, renewal);
  const pourSince = (ctx: Services) => pourBetween(ctx, renewal, Number.POSITIVE_INFINITY);
  return { user_id, pourSince };
}

interface NewUser extends Pick<DemoMember, 'first' | 'last' | 'email'> {
  id: string;
  at: Services;
}

async function register({ db, newId }: Services, users: NewUser[], password: string): Promise<void> {
  const timesOf = ({ at }: NewUser) => ({ createdAt: at.now(), updatedAt: at.now() });
  await db.insert(profiles).values(
    users.map((user) => {
      const { id, first, last, email } = user;
      const names = { name: `${first} ${last}`, first_name: first, last_name: last };
      return { id, email, emailVerified: true, ...names, ...timesOf(user) };
    }),
  );
  await db.insert(accounts).values(
    users.map((user) => ({
      id: newId(),
      userId: user.id,
      accountId: user.id,
      providerId: 'credential',
      password,
      ...timesOf(user),
    })),
  );
}

/** Applies, and approves the application if the member has joined. Returns the customer id; null while pending. */
async function join(
  ctx: Ctx,
  { tier, joined, months, ratings }: DemoMember,
  reviewer: Ctx['actor'],
): Promise<string | null> {
  const preferences = Object.fromEntries(SURVEY_RATINGS.map((rating, at) => [rating, ratings[at]]));
  const { id } = await saveApplication(ctx, {
    preferences: preferences as SurveyPreferences,
    rated: null,
    selected_tier: tier,
    current_step: 2,
    is_complete: true,
  });
  if (joined === null) return null;
  const staff: Ctx = {
    ...ctx,
    actor: reviewer,
    // These people joined long ago, so no email is sent today. Nobody has begun to pay, and asking billing would leave this
    // transaction.
    outbox: { ...ctx.outbox, enqueue: async () => undefined },
    paymentPages: { ...ctx.paymentPages, close: async () => undefined },
  };
  return (await approveApplication(staff, { id, toast_reference_number: `DEMO-${joined}`, months }))
    .customer_id;
}
