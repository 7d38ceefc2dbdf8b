import { sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { rowsOf } from '../../../src/server/db/results.ts';
import { profiles } from '../../../src/server/db/schema.ts';
import type { Venue } from './venue.ts';

/** The glasses of a member's current period, from the function that decides pours. */
export interface Glasses {
  access: boolean;
  period_pours: number;
  pours_used: number;
  available: number;
  when_paid: number;
  carried: number;
  rolled: number;
  rolled_left: number;
}

const customerOf = (user: string) => sql`(select id from customers where user_id = ${user})`;

/** Null for a user who was never a member. */
export async function glassesOf({ db, clock, deps }: Venue, user: string): Promise<Glasses | null> {
  const [row] = await rowsOf<Glasses>(
    db,
    sql`select access, period_pours, pours_used, available, when_paid, carried, rolled, rolled_left
          from member_allowance(${customerOf(user)}, ${clock.now().toISOString()}::timestamptz, ${deps.venue.time_zone})`,
  );
  return row ?? null;
}

/** Pours at most that many of the available glasses, through record_pour. Returns how many it poured. */
export async function pourGlasses(venue: Venue, user: string, most = 100): Promise<number> {
  const quantity = Math.min(most, (await glassesOf(venue, user))?.available ?? 0);
  if (quantity === 0) return 0;
  const outcome = await askToPour(venue, user, quantity);
  if (outcome !== 'recorded') throw new Error(`Not poured: ${outcome}`);
  return quantity;
}

/** Calls record_pour for glasses, or for a guest glass, whether available or not. Returns its outcome. */
export async function askToPour(
  { db, clock, deps }: Venue,
  user: string,
  quantity: number,
  guest_glass_id?: string,
): Promise<string | undefined> {
  const staff = v7();
  const email = `${staff}@example.test`;
  await db.insert(profiles).values({ id: staff, name: 'Sam', email, first_name: 'Sam', last_name: '' });
  const [customer] = await rowsOf<{ id: string }>(db, sql`select ${customerOf(user)} as id`);
  const pour = {
    id: v7(),
    request_id: v7(),
    customer_id: customer?.id,
    quantity,
    location: 'main_bar',
    toast_reference_number: 'POUR-1',
    status: 'redeemed',
    recorded_by_staff_id: staff,
    created_at: clock.now(),
  };
  const input = JSON.stringify({ pour, time_zone: deps.venue.time_zone, guest_glass_id });
  const [row] = await rowsOf<{ answer: { outcome: string } }>(
    db,
    sql`select record_pour(${input}::jsonb) as answer`,
  );
  return row?.answer.outcome;
}

/** The unvoided poured glasses of a user's pool, by either person. */
export async function pouredOf({ db }: Venue, user: string): Promise<number> {
  const [row] = await rowsOf<{ poured: number }>(
    db,
    sql`select coalesce(sum(quantity), 0)::integer as poured from pours p
         where coalesce(pool_id, customer_id) = ${customerOf(user)}
           and not exists (select from pour_voids v where v.pour_id = p.id)`,
  );
  return row?.poured ?? 0;
}

/** The number of glasses bought by a user's paid invoices: each line's amount at the monthly price of its tier. */
export async function glassesBought({ db, stripe }: Venue, customer: string): Promise<number> {
  const tiers = await rowsOf<{ price: string; cents: number; pours: number }>(
    db,
    sql`select p.stripe_price_id as price, p.amount_cents as cents, t.monthly_pours as pours
          from tier_price p join tier_definitions t using (tier_name)`,
  );
  const invoices = await stripe.invoices.list({ customer, status: 'paid', limit: 100 });
  let bought = 0;
  for (const { amount, pricing } of invoices.data.flatMap(({ lines }) => lines.data)) {
    const tier = tiers.find(({ price }) => price === pricing?.price_details?.price);
    if (tier) bought += (amount / tier.cents) * tier.pours;
  }
  return bought;
}
