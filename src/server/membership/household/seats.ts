import { Refusal } from '../../../contract/refusals.ts';
import type { SeatEnding } from '../../../domain/membership/household.ts';
import type { Db, Tx } from '../../db/client.ts';
import { alias, and, eq, inArray, isNotNull, isNull, or, sql } from '../../db/orm.ts';
import { rowsOf } from '../../db/results.ts';
import { customers, household_seat, profiles } from '../../db/schema.ts';
import { type MailContext, sendEmail } from '../../mail/send-email.ts';
import type { MembershipContext } from '../membership-context.ts';
import { membershipEmails } from '../membership-emails.ts';

// Rules: docs/rules/households.md, "Household".

const holder = alias(customers, 'holder');
const holderProfile = alias(profiles, 'holder_profile');

const SEAT = {
  id: household_seat.id,
  ended_by: household_seat.ended_by,
  joined_at: household_seat.joined_at,
  holder_id: household_seat.holder_id,
  partner_id: household_seat.customer_id,
  holder_user_id: holder.user_id,
  partner_user_id: customers.user_id,
  holder_name: holderProfile.first_name,
  partner_name: profiles.first_name,
  holder_last_name: holderProfile.last_name,
  partner_last_name: profiles.last_name,
};

const seats = (db: Db | Tx) =>
  db
    .select(SEAT)
    .from(household_seat)
    .innerJoin(customers, eq(customers.id, household_seat.customer_id))
    .innerJoin(profiles, eq(profiles.id, customers.user_id))
    .innerJoin(holder, eq(holder.id, household_seat.holder_id))
    .innerJoin(holderProfile, eq(holderProfile.id, holder.user_id));
export type Seat = Awaited<ReturnType<typeof seats>>[number];

/** A user's current seat as holder or partner; null if there is none. */
export async function openSeatOf(db: Db | Tx, userId: string): Promise<Seat | null> {
  const [seat] = await seats(db).where(
    and(isNull(household_seat.ended_at), or(eq(holder.user_id, userId), eq(customers.user_id, userId))),
  );
  return seat ?? null;
}

async function endSeat(
  { now }: { now(): Date },
  tx: Tx,
  seat: Pick<Seat, 'id'>,
  cause: SeatEnding,
): Promise<boolean> {
  const [row] = await rowsOf<{ ended: boolean }>(
    tx,
    sql`select end_household_seat(${seat.id}, ${cause}, ${now().toISOString()}::timestamptz) as ended`,
  );
  return row?.ended ?? false;
}

/** Emails the end of a seat to whichever of the two did not request it. */
async function tellOfEnd(ctx: MailContext, tx: Tx, seat: Seat, cause: SeatEnding): Promise<void> {
  const { holder_name, partner_name } = seat;
  if (cause !== 'holder') {
    await sendEmail(ctx, tx, {
      user_id: seat.holder_user_id,
      cause: `sharing-ended:${seat.id}:holder`,
      aboutMoney: true,
      email: membershipEmails.sharing_ended_holder.about({ by: cause, partner: partner_name }),
    });
  }
  if (cause !== 'partner') {
    await sendEmail(ctx, tx, {
      user_id: seat.partner_user_id,
      cause: `sharing-ended:${seat.id}:partner`,
      aboutMoney: true,
      email: membershipEmails.sharing_ended_partner.about({ by: cause, holder: holder_name }),
    });
  }
}

/**
 * A holder removes their partner, or a partner leaves: card and glasses end at once. Throws Refusal NOT_FOUND without a
 * household, also if the other was faster.
 */
export async function endSharing(ctx: MembershipContext): Promise<{ removed: true }> {
  const { db, actor } = ctx;
  return db.transaction(async (tx) => {
    const seat = await openSeatOf(tx, actor.user_id);
    const cause = seat?.holder_user_id === actor.user_id ? 'holder' : 'partner';
    if (!seat || !(await endSeat(ctx, tx, seat, cause)))
      throw new Refusal('NOT_FOUND', { what: 'household' });
    await tellOfEnd(ctx, tx, seat, cause);
    return { removed: true };
  });
}

/**
 * Ends the sharing of an account in the transaction that deletes it, before the name goes. The partner reads of it once:
 * the email about the end of the holder's membership is withdrawn.
 */
export async function endSharingOfAccount(
  ctx: MailContext & { now(): Date },
  tx: Tx,
  userId: string,
): Promise<void> {
  const seat = await openSeatOf(tx, userId);
  if (!seat || !(await endSeat(ctx, tx, seat, 'account'))) return;
  if (seat.holder_user_id === userId) {
    await ctx.outbox.withdraw(tx, { user_id: seat.partner_user_id, like: 'ended:%:partner' });
  }
  await tellOfEnd(ctx, tx, seat, 'account');
}

/**
 * Emails both members of seats that ended because of the tier, or the partner's own membership. Returns the number of seats.
 */
export async function tellOfEndedSeats(ctx: MailContext & { db: Db; now(): Date }): Promise<number> {
  const endings = await seats(ctx.db)
    .where(
      and(
        isNull(household_seat.told_at),
        isNotNull(household_seat.ended_at),
        inArray(household_seat.ended_by, ['tier', 'own_membership']),
      ),
    )
    .limit(100);
  for (const seat of endings) {
    await ctx.db.transaction(async (tx) => {
      await tellOfEnd(ctx, tx, seat, seat.ended_by ?? 'tier');
      await tx.update(household_seat).set({ told_at: ctx.now() }).where(eq(household_seat.id, seat.id));
    });
  }
  return endings.length;
}
