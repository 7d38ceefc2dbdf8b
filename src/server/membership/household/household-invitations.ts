import type { z } from 'zod';
import { Refusal } from '../../../contract/refusals.ts';
import type { HouseholdInvitation, householdInvite } from '../../../contract/sharing/household.ts';
import { localDate } from '../../../domain/calendar.ts';
import { householdConsent } from '../../../domain/consent.ts';
import {
  acceptObstacle,
  type HolderFacts,
  INVITATION_DAYS,
  invitationObstacle,
} from '../../../domain/membership/household.ts';
import { linkFragment } from '../../../domain/membership/link-fragment.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, isNull, sql } from '../../db/orm.ts';
import { refusing, rowsOf } from '../../db/results.ts';
import { guest_glass, household_invitation, household_seat, profiles } from '../../db/schema.ts';
import { mayEmailOwner, mayEmailUnconfirmed } from '../../mail/address-limits.ts';
import { composeEmail } from '../../mail/email.ts';
import { sendEmail } from '../../mail/send-email.ts';
import { consumeRateLimit } from '../../platform/rate-limit.ts';
import {
  assertNotExpired,
  consumeLink,
  deleteExpiredLinks,
  newLink,
  readLink,
} from '../../platform/secret-link.ts';
import { agreedWords, storeConsent } from '../consents.ts';
import type { MembershipContext } from '../membership-context.ts';
import { membershipEmails } from '../membership-emails.ts';
import { lockPerson } from '../record/locks.ts';

// Rules: docs/rules/households.md, "Household".

const DAY_SECONDS = 86_400;
/** The rate limit on a holder's invitations; window in seconds. */
const INVITATIONS = { max: 10, window: DAY_SECONDS };

type InvitationContext = MembershipContext & { newSecret(): string };
type Row = typeof household_invitation.$inferSelect;

const shown = ({ email, created_at, expires_at }: Row): HouseholdInvitation => ({
  email,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
});

/** A member as a possible holder: their own membership, and whether someone shares it. */
export interface Holder extends HolderFacts {
  id: string;
  user_id: string;
  first_name: string;
  /** Whether they have their own membership that has not ended. */
  own_membership: boolean;
  /** Already a partner in another household. */
  shares: boolean;
  email: string;
  email_confirmed: boolean;
}

export async function holderOf(
  { now, venue }: Pick<MembershipContext, 'now' | 'venue'>,
  db: Db | Tx,
  person: { user_id: string } | { customer_id: string },
): Promise<Holder | null> {
  const at = sql`${now().toISOString()}::timestamptz`;
  const key =
    'user_id' in person ? sql`p.id = ${person.user_id}::uuid` : sql`c.id = ${person.customer_id}::uuid`;
  const [row] = await rowsOf<Holder>(
    db,
    sql`select coalesce(c.id::text, '') as id, p.id as user_id, p.first_name, p.email,
               p.email_verified as email_confirmed, m.id is not null as own_membership, seat.id is not null as shares,
               m.id is not null and coalesce(a.access, false) as access, coalesce(t.people, 1)::integer as people,
               (select count(*)::integer from household_seat h where h.holder_id = c.id and h.ended_at is null) as partners
          from profiles p
          left join customers c on c.user_id = p.id
          left join memberships m on m.customer_id = c.id and m.status = 'active'
          left join billing_subscription s on s.stripe_subscription_id = m.stripe_subscription_id
          left join tier_definitions t
            on t.tier_name = case when s.pending_from <= ${at} then s.pending_tier
                                when m.pending_from <= (${at} at time zone ${venue.time_zone})::date then m.pending_tier else m.tier end
          left join household_seat seat on seat.customer_id = c.id and seat.ended_at is null
          left join lateral member_allowance(c.id, ${at}, ${venue.time_zone}) a on true
         where ${key} and p.erased_at is null`,
  );
  return row ?? null;
}

export async function openInvitation(
  { db, now }: Pick<MembershipContext, 'db' | 'now'>,
  holderId: string,
): Promise<HouseholdInvitation | null> {
  const [row] = await db
    .select()
    .from(household_invitation)
    .where(eq(household_invitation.holder_id, holderId));
  return row && row.expires_at > now() ? shown(row) : null;
}

/**
 * Makes a link by which one person can share the actor's membership, replacing an earlier one. If an email is given, the
 * link is only sent there: following it proves the inbox. Throws Refusal HOUSEHOLD_REFUSED, TOO_MANY_ATTEMPTS.
 */
export async function inviteToHousehold(
  ctx: InvitationContext,
  { email: address }: z.output<typeof householdInvite>,
): Promise<{ invitation: HouseholdInvitation; url: string | null }> {
  const { db, actor, outbox, venue } = ctx;
  const email = address?.toLowerCase() ?? null;
  if (email && !outbox.sends) throw new Refusal('HOUSEHOLD_REFUSED', { reason: 'email_off' });
  const holder = await holderOf(ctx, db, { user_id: actor.user_id });
  const reason = holder ? invitationObstacle(holder) : 'no_access';
  if (!holder || reason) throw new Refusal('HOUSEHOLD_REFUSED', { reason: reason ?? 'no_access' });
  await consumeRateLimit(ctx, `household-invitation|${actor.user_id}`, INVITATIONS);
  const { token, link: record } = newLink(ctx, { minutes: INVITATION_DAYS * 24 * 60 });
  const url = `${venue.public_url}/share#${linkFragment(token, email)}`;
  const link = { email, ...record };
  return db.transaction(async (tx) => {
    if (email) await mailInvitation(ctx, tx, { email, holder, url, hash: link.token_hash });
    await tx
      .insert(household_invitation)
      .values({ holder_id: holder.id, ...link })
      .onConflictDoUpdate({ target: household_invitation.holder_id, set: link });
    return { invitation: shown({ holder_id: holder.id, ...link }), url: email ? null : url };
  });
}

async function mailInvitation(
  ctx: InvitationContext,
  tx: Tx,
  { email, holder, url, hash }: { email: string; holder: Holder; url: string; hash: string },
): Promise<void> {
  const [owner] = await tx
    .select({ id: profiles.id, confirmed: profiles.emailVerified })
    .from(profiles)
    .where(eq(profiles.email, email));
  const mayEmail = owner?.confirmed ? mayEmailOwner : mayEmailUnconfirmed;
  if (!(await mayEmail(ctx, tx, email))) {
    throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: DAY_SECONDS });
  }
  await ctx.outbox.enqueue(
    tx,
    `household-invitation:${hash}`,
    { user_id: owner?.id ?? null, email, limited: false },
    composeEmail(
      ctx.venue,
      membershipEmails.household_invitation.about({ holder: holder.first_name, url, days: INVITATION_DAYS }),
      null,
    ),
  );
}

export async function withdrawHouseholdInvitation({ db, actor }: MembershipContext) {
  const holder = sql`(select id from customers where user_id = ${actor.user_id}::uuid)`;
  const rows = await db
    .delete(household_invitation)
    .where(eq(household_invitation.holder_id, holder))
    .returning();
  return { removed: rows.length > 0 };
}

/** Throws Refusal LINK_INVALID, LINK_EXPIRED. */
async function followLink({ now }: Pick<MembershipContext, 'now'>, db: Db | Tx, token: string): Promise<Row> {
  const row = await readLink(db, household_invitation, token);
  assertNotExpired(row, now());
  return row;
}

/**
 * The holder of the membership that a link is about, and the words to agree to. Throws Refusal LINK_INVALID, LINK_EXPIRED.
 */
export async function readHouseholdInvitation(
  ctx: Pick<MembershipContext, 'db' | 'now' | 'venue' | 'venue'>,
  { token }: { token: string },
) {
  const { holder_id, expires_at } = await followLink(ctx, ctx.db, token);
  const holder = await holderOf(ctx, ctx.db, { customer_id: holder_id });
  if (!holder) throw new Refusal('LINK_INVALID');
  return {
    holder_first_name: holder.first_name,
    expires_at: expires_at.toISOString(),
    consent: householdConsent(ctx.venue),
  };
}

/**
 * Makes the actor share the sender's membership from now on; a link works once. The consent is stored. An email that the
 * link was sent to counts as confirmed. Throws Refusal LINK_INVALID, LINK_EXPIRED, HOUSEHOLD_REFUSED, CONSENT_OUTDATED.
 */
export async function acceptHouseholdInvitation(
  ctx: MembershipContext,
  { token, consent_version }: { token: string; consent_version?: string | undefined },
): Promise<{ joined: true }> {
  const { db, actor, now } = ctx;
  const current = householdConsent(ctx.venue);
  const words = agreedWords(consent_version, current);
  if (!words && current) throw new Refusal('CONSENT_OUTDATED', { current });
  // Another invitee may be faster, or the actor accepts two links at once.
  const refusal = new Refusal('LINK_INVALID');
  const refusals = { household_seat_one_of_partner: refusal, household_seat_one_of_holder: refusal };
  return refusing(refusals, () =>
    db.transaction(async (tx) => {
      const link = await followLink(ctx, tx, token);
      // Asked before the locks too: two holders who follow each other's links would wait for each other.
      const [sender, self] = [
        await holderOf(ctx, tx, { customer_id: link.holder_id }),
        await holderOf(ctx, tx, { user_id: actor.user_id }),
      ];
      if (sender && self) assertMayJoin(ctx, link, sender, self);
      // Lock order of a pour: the holder's row before the partner's (functions/household.sql).
      await tx.execute(sql`select 1 from customers where id = ${link.holder_id} for no key update`);
      await consumeLink(tx, household_invitation, token);
      const holder = await holderOf(ctx, tx, { customer_id: link.holder_id });
      if (!holder) throw new Refusal('LINK_INVALID');
      const guest = await lockInvited(ctx, tx, holder);
      assertMayJoin(ctx, link, holder, guest);
      if (isProven(link, guest)) {
        await tx
          .update(profiles)
          .set({ emailVerified: true, updatedAt: now() })
          .where(eq(profiles.id, actor.user_id));
      }
      const seat_id = await takeSeat(ctx, tx, holder, guest);
      await storeConsent(ctx, tx, { user_id: actor.user_id, what: 'household', act_id: seat_id, words });
      await sendEmail(ctx, tx, {
        user_id: holder.user_id,
        cause: `partner-joined:${seat_id}`,
        aboutMoney: true,
        email: membershipEmails.partner_joined.about({ partner: guest.first_name }),
      });
      return { joined: true };
    }),
  );
}

/** Whether following the link proves the inbox of the invited person's account. */
const isProven = (link: Row, guest: Holder) =>
  link.email !== null && link.email === guest.email.toLowerCase();

/** Throws Refusal HOUSEHOLD_REFUSED. */
function assertMayJoin({ outbox }: MembershipContext, link: Row, holder: Holder, guest: Holder): void {
  const reason = acceptObstacle(holder, {
    ...guest,
    is_holder: guest.user_id === holder.user_id,
    // A club without a mail server cannot confirm emails.
    email_confirmed: guest.email_confirmed || isProven(link, guest) || !outbox.sends,
  });
  if (reason) throw new Refusal('HOUSEHOLD_REFUSED', { reason });
}

async function lockInvited(ctx: MembershipContext, tx: Tx, holder: Holder): Promise<Holder> {
  const { actor, newId, now, venue } = ctx;
  const member_since = localDate(now(), venue.time_zone);
  // Lock order of erasure: confirming the email locks the profile too.
  await lockPerson(tx, actor.user_id, 'no key update', { only: ['customer', 'profile'] });
  await tx.execute(
    sql`insert into customers (id, user_id, tier, status, member_since, created_at)
        select ${newId()}::uuid, p.id, c.tier, 'inactive', ${member_since}::date, ${now().toISOString()}::timestamptz
          from customers c cross join profiles p
         where c.id = ${holder.id} and p.id = ${actor.user_id} and p.erased_at is null
        on conflict (user_id) do nothing`,
  );
  await tx.execute(sql`select 1 from customers where user_id = ${actor.user_id} for no key update`);
  const guest = await holderOf(ctx, tx, { user_id: actor.user_id });
  if (!guest) throw new Refusal('NOT_SIGNED_IN');
  return guest;
}

/** Ends the sharing of a new partner's own former membership, which is over, and stores their seat. */
async function takeSeat(ctx: MembershipContext, tx: Tx, holder: Holder, guest: Holder): Promise<string> {
  const seats = await tx
    .select({ id: household_seat.id })
    .from(household_seat)
    .where(and(eq(household_seat.holder_id, guest.id), isNull(household_seat.ended_at)));
  const at = ctx.now();
  for (const { id } of seats) {
    await tx.execute(sql`select end_household_seat(${id}, 'holder', ${at.toISOString()}::timestamptz)`);
  }
  await tx.delete(household_invitation).where(eq(household_invitation.holder_id, guest.id));
  // Withdraws their guest glasses: those came from a membership that is over, and are not held in the new pool.
  await tx
    .update(guest_glass)
    .set({ withdrawn_at: at })
    .where(
      and(
        eq(guest_glass.customer_id, guest.id),
        isNull(guest_glass.pour_id),
        isNull(guest_glass.withdrawn_at),
      ),
    );
  const id = ctx.newId();
  await tx.insert(household_seat).values({ id, holder_id: holder.id, customer_id: guest.id, joined_at: at });
  return id;
}

export const deleteOldHouseholdInvitations = ({ db, now }: { db: Db; now(): Date }): Promise<void> =>
  deleteExpiredLinks(db, household_invitation, now());
