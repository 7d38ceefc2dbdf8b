import { eq } from 'drizzle-orm';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../src/server/auth/demo-accounts.ts';
import { hashPassword } from '../../src/server/auth/password/hash.ts';
import type { Ctx, Services } from '../../src/server/context.ts';
import { accounts, customers, profiles, user_roles } from '../../src/server/db/schema.ts';
import { approveApplication } from '../../src/server/membership/application-reviews.ts';
import { saveApplication } from '../../src/server/membership/applications.ts';
import { updateTier } from '../../src/server/membership/tier-settings.ts';
import { recordPour } from '../../src/server/pours/pours.ts';
import { listWines } from '../../src/server/wines/wine-list.ts';
import { writeWines } from './wines.ts';

const DAY_MS = 86_400_000;

interface DemoMember {
  first: string;
  last: string;
  email: string;
  tier: string;
  /** Days ago; null while the application is pending. */
  joined: number | null;
  ratings: [number, number, number, number, number];
}

const MEMBERS: DemoMember[] = [
  {
    first: 'Marguerite',
    last: 'Okafor',
    email: DEMO_ACCOUNTS.member,
    tier: 'premier',
    joined: 131,
    ratings: [6, 7, 8, 5, 9],
  },
  {
    first: 'Tobias',
    last: 'Lindqvist',
    email: 'tobias@demo.test',
    tier: 'select',
    joined: 96,
    ratings: [3, 4, 5, 7, 4],
  },
  {
    first: 'Inés',
    last: 'Carvalho',
    email: 'ines@demo.test',
    tier: 'elite',
    joined: 73,
    ratings: [9, 8, 9, 6, 8],
  },
  {
    first: 'Wren',
    last: 'Abernathy',
    email: 'wren@demo.test',
    tier: 'household',
    joined: 40,
    ratings: [5, 6, 4, 8, 7],
  },
  {
    first: 'Hideo',
    last: 'Tanaka',
    email: 'hideo@demo.test',
    tier: 'premier',
    joined: 12,
    ratings: [7, 5, 7, 7, 6],
  },
  {
    first: 'Saoirse',
    last: 'Byrne',
    email: 'saoirse@demo.test',
    tier: 'elite',
    joined: null,
    ratings: [4, 6, 3, 9, 8],
  },
  {
    first: 'Luca',
    last: 'Fontana',
    email: 'luca@demo.test',
    tier: 'select',
    joined: null,
    ratings: [8, 9, 10, 4, 5],
  },
];

/** The rollover limit of the demo member's tier, so that their dashboard shows rolled-over glasses. */
const ROLLS_OVER = { tier: 'premier', glasses: 3 };

/** The emails of everyone the demo begins with. */
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
 * Fills an empty installation with a staff account, members and history, through the verbs that staff and members use,
 * at the times when it would have happened. Does nothing when the demo is complete. An interrupted seed continues, as
 * every step can be repeated. `hashed` is the hash of everyone's password, if it was begun before.
 */
export async function seedDemo(services: Services, hashed?: Promise<string>): Promise<void> {
  const { db } = services;
  if (await isComplete(services)) return;
  const password = await (hashed ?? hashDemoPassword());
  const start = services.now().getTime();
  const ago = (days: number): Services => ({ ...services, now: () => new Date(start - days * DAY_MS) });

  const staff_id = await register(
    ago(200),
    { first: 'Noor', last: 'Haddad', email: DEMO_ACCOUNTS.staff },
    password,
  );
  // Set before anyone joins, so that it applies to their first month.
  const owner = { ...ago(200), actor: { user_id: staff_id, role: 'staff' as const } };
  await updateTier(owner, ROLLS_OVER.tier, { rollover_glasses: ROLLS_OVER.glasses });
  await writeWines(services);
  const wines = await listWines({ ...services, actor: { user_id: staff_id, role: 'staff' } });
  for (const member of MEMBERS) {
    const at = ago(member.joined ?? 2);
    const user_id = await register(at, member, password);
    const customer_id = await join({ ...at, actor: { user_id, role: 'customer' } }, member, staff_id);
    if (customer_id && member.email === DEMO_ACCOUNTS.member) {
      for (const [index, [days, quantity, location, place = -1]] of POURS.entries()) {
        const request_id = `00000000-0000-7000-8000-${String(index).padStart(12, '0')}`;
        const ctx: Ctx = { ...ago(days), actor: { user_id: staff_id, role: 'staff' } };
        const wine_id = wines[place]?.id;
        await recordPour(ctx, {
          ...{ request_id, customer_id, quantity, location },
          ...(wine_id && { wine_id }),
        });
      }
    }
  }
  const bartender_id = await register(
    ago(60),
    { first: 'Jonas', last: 'Weber', email: DEMO_ACCOUNTS.bartender },
    password,
  );
  // Last, because the role marks the demo as complete; before the other staff account, so that it gets every permission.
  await db.transaction(async (tx) => {
    for (const id of [staff_id, bartender_id]) {
      await tx.update(user_roles).set({ role: 'staff' }).where(eq(user_roles.user_id, id));
    }
  });
}

/** The staff account gets its role last. */
async function isComplete({ db }: Services): Promise<boolean> {
  const [staff] = await db
    .select({ role: user_roles.role })
    .from(user_roles)
    .innerJoin(profiles, eq(profiles.id, user_roles.user_id))
    .where(eq(profiles.email, DEMO_ACCOUNTS.staff));
  return staff?.role === 'staff';
}

/** Creates an account with that password hash unless its email is taken. Returns the user id. */
async function register(
  { db, now, newId }: Services,
  { first, last, email }: Pick<DemoMember, 'first' | 'last' | 'email'>,
  password: string,
): Promise<string> {
  return db.transaction(async (tx) => {
    const [existing] = await tx.select({ id: profiles.id }).from(profiles).where(eq(profiles.email, email));
    if (existing) return existing.id;
    const id = newId();
    const times = { createdAt: now(), updatedAt: now() };
    const name = `${first} ${last}`;
    const fields = { name, email, emailVerified: true, first_name: first, last_name: last };
    await tx.insert(profiles).values({ id, ...fields, ...times });
    await tx
      .insert(accounts)
      .values({ id: newId(), userId: id, accountId: id, providerId: 'credential', password, ...times });
    return id;
  });
}

/** Applies, and approves the application if the member has joined. Returns the customer id; null while pending. */
async function join(
  ctx: Ctx,
  { tier, joined, ratings }: DemoMember,
  staffId: string,
): Promise<string | null> {
  const [customer] = await ctx.db
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.user_id, ctx.actor.user_id));
  if (customer) return customer.id;
  const [wine_knowledge, drinking_frequency, red_wine_preference, white_wine_preference, adventurousness] =
    ratings;
  const { id } = await saveApplication(ctx, {
    preferences: {
      wine_knowledge,
      drinking_frequency,
      red_wine_preference,
      white_wine_preference,
      adventurousness,
    },
    selected_tier: tier,
    current_step: 2,
    is_complete: true,
  });
  if (joined === null) return null;
  const staff: Ctx = {
    ...ctx,
    actor: { user_id: staffId, role: 'staff' },
    // They joined long ago, so no email about it is sent today.
    outbox: { ...ctx.outbox, enqueue: async () => undefined },
  };
  return (await approveApplication(staff, { id, toast_reference_number: `DEMO-${joined}` })).customer_id;
}
