import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import type { MoveReport } from '../../../src/contract/staff/tier-settings.ts';
import { COMMAND_LINE } from '../../../src/server/audit/record-audit.ts';
import {
  announceMoves,
  type MoveContext,
  type MoveRequest,
} from '../../../src/server/billing/acts/announce-moves.ts';
import { tier_definitions } from '../../../src/server/db/schema.ts';
import type { Venue } from './venue.ts';

/** Sets the price of a tier for new members. */
export const setPrice = async (venue: Venue, tier: string, cents: number): Promise<void> =>
  void (await venue.db
    .update(tier_definitions)
    .set({ monthly_price_cents: cents })
    .where(eq(tier_definitions.tier_name, tier)));

/** The context for announcing price moves from the command line. */
export const moveContext = ({ db, clock, deps, notices }: Venue): MoveContext => ({
  db,
  actor: COMMAND_LINE,
  currency: deps.currency,
  now: clock.now,
  newId: () => v7(),
  post: async (_tx, notice) => void notices.push(notice),
});

export const announceMove = (venue: Venue, request: MoveRequest): Promise<MoveReport> =>
  announceMoves(moveContext(venue), request);

/** The amounts of a member's payments, oldest first. */
export const paid = async (venue: Venue, user: string): Promise<number[]> =>
  (await venue.state(user)).payments.map((payment) => payment.paid);

/** Lets a number of days pass, with a sweep every fifth day. */
export async function passDays(venue: Venue, days: number): Promise<void> {
  for (let left = days; left > 0; left -= 5) {
    await venue.advance({ days: Math.min(left, 5) });
    await venue.billing.sweep();
    await venue.delivered();
  }
}
