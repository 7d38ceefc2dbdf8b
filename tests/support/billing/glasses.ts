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
  const { db, clock, deps } = venue;
  const quantity = Math.min(most, (await glassesOf(venue, user))?.available ?? 0);
  if (quantity === 0) return 0;
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
  const input = JSON.stringify({ pour, time_zone: deps.venue.time_zone });
  const [row] = await rowsOf<{ answer: { outcome: string } }>(
    db,
    sql`select record_pour(${input}::jsonb) as answer`,
  );
  if (row?.answer.outcome !== 'recorded') throw new Error(`Not poured: ${row?.answer.outcome}`);
  return quantity;
}
