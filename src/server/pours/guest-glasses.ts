import { Refusal } from '../../contract/refusals.ts';
import type { ForGuest, GivenGlass, GuestGlasses } from '../../contract/sharing/guest-glasses.ts';
import {
  type GuestGlassObstacle,
  guestGlassExpiry,
  guestGlassObstacle,
} from '../../domain/membership/guest-glass.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, desc, eq, gt, isNull, sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import { customers, guest_glass, profiles } from '../db/schema.ts';
import type { Venue } from '../mail/email.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import { hashOfSecret, hasToken } from '../platform/secret-link.ts';
import { lockPool } from './lock-pool.ts';
import { memberOfUser } from './member-user.ts';
import type { PourContext } from './pour-context.ts';

// Rules: docs/rules/glasses.md, "A glass for a guest".

/** The rate limit on a member's links to glasses, including renewed ones; window in seconds. */
const GIVEN = { max: 20, window: 86_400 };
/** Prefix of the token in a code at the bar, to distinguish it from other codes. */
const CODE_PREFIX = 'guest-';

type Row = typeof guest_glass.$inferSelect;
type GuestContext = Pick<PourContext, 'db' | 'now' | 'venue'>;

interface Pool {
  customer_id: string;
  pool_id: string;
  access: boolean;
  available: number;
  period_start: Date;
  period_end: Date;
  limit: number;
  used: number;
}

/** A member's current pool, with the guest glasses given; null if the user never was a member. */
async function poolOf(
  { now, venue }: Pick<PourContext, 'now' | 'venue'>,
  db: Db | Tx,
  userId: string,
): Promise<Pool | null> {
  const at = sql`${now().toISOString()}::timestamptz`;
  const [row] = await rowsOf<Omit<Pool, 'period_start' | 'period_end'> & { starts: number; ends: number }>(
    db,
    sql`select c.id as customer_id, pool.id as pool_id, a.access, a.available, t.guest_glasses::integer as limit,
               extract(epoch from a.period_start)::float8 as starts, extract(epoch from a.period_end)::float8 as ends,
               (select count(*)::integer from guest_glass g
                 where g.pool_id = pool.id and g.created_at >= a.period_start and g.withdrawn_at is null
                   and (g.pour_id is not null or g.expires_at > ${at})) as used
          from customers c
          left join household_seat h on h.customer_id = c.id and h.ended_at is null
          join customers pool on pool.id = coalesce(h.holder_id, c.id)
          join tier_definitions t on t.tier_name = pool.tier
          cross join lateral member_allowance(c.id, ${at}, ${venue.time_zone}) a
         where c.user_id = ${userId}::uuid`,
  );
  if (!row) return null;
  const { starts, ends, ...pool } = row;
  return { ...pool, period_start: new Date(starts * 1000), period_end: new Date(ends * 1000) };
}

const linkTo = ({ public_url }: Venue, token: string) => `${public_url}/guest#${token}`;

function stateOf(row: Row, now: Date): GivenGlass['state'] {
  if (row.pour_id) return 'poured';
  if (row.withdrawn_at) return 'withdrawn';
  return row.expires_at > now ? 'held' : 'expired';
}

/** The actor's glasses for guests in this billing period, and how many more they can give. */
export async function listGuestGlasses(ctx: PourContext): Promise<GuestGlasses> {
  const pool = await poolOf(ctx, ctx.db, ctx.actor.user_id);
  if (!pool) return { limit: 0, used: 0, can_give: false, glasses: [] };
  const rows = await ctx.db
    .select()
    .from(guest_glass)
    .where(
      and(
        eq(guest_glass.customer_id, pool.customer_id),
        sql`${guest_glass.created_at} >= ${pool.period_start.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(desc(guest_glass.created_at), desc(guest_glass.id));
  const { limit, used, access, available } = pool;
  return {
    limit,
    used,
    can_give: access && available > 0 && used < limit,
    glasses: rows.map((row) => ({
      id: row.id,
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at.toISOString(),
      age_stated: row.age_stated_at !== null,
      state: stateOf(row, ctx.now()),
    })),
  };
}

/**
 * Gives a guest one glass of the pool, by a link that is shown only once. Calls at once are decided one after the other,
 * under the lock of the pool. Throws Refusal CUSTOMER_NOT_ACTIVE, POURS_EXCEEDED, GUEST_GLASS_LIMIT, TOO_MANY_ATTEMPTS.
 */
export async function giveGuestGlass(
  ctx: PourContext & { newSecret(): string },
): Promise<{ id: string; url: string; expires_at: string }> {
  const { db, actor, now, newId, newSecret, venue } = ctx;
  await consumeRateLimit(ctx, `guest-glass|${actor.user_id}`, GIVEN);
  const token = newSecret();
  return db.transaction(async (tx) => {
    const ownId = await memberOfUser(tx, actor.user_id);
    if (!ownId) throw new Refusal('CUSTOMER_NOT_ACTIVE');
    await lockPool(tx, ownId);
    const pool = await poolOf(ctx, tx, actor.user_id);
    if (!pool?.access) throw new Refusal('CUSTOMER_NOT_ACTIVE');
    if (pool.used >= pool.limit) throw new Refusal('GUEST_GLASS_LIMIT', { limit: pool.limit });
    if (pool.available < 1) throw new Refusal('POURS_EXCEEDED', { available_pours: 0 });
    const [id, created_at] = [newId(), now()];
    const expires_at = guestGlassExpiry(created_at, pool.period_end);
    await tx.insert(guest_glass).values({
      id,
      customer_id: pool.customer_id,
      pool_id: pool.pool_id,
      token_hash: hashOfSecret(token),
      created_at,
      expires_at,
      // Without a minimum age, the guest is not asked.
      ...(venue.minimum_age === 0 && { age_stated_at: created_at, age_stated: 0 }),
    });
    await tx.execute(
      sql`select hold_glass(${id}::uuid, ${created_at.toISOString()}::timestamptz, ${ctx.venue.time_zone})`,
    );
    return { id, url: linkTo(venue, token), expires_at: expires_at.toISOString() };
  });
}

/**
 * Replaces the link of one of the actor's waiting glasses; the previous one stops working. The new link may go to another
 * guest, who states their own age. Throws Refusal NOT_FOUND, GUEST_GLASS_REFUSED, TOO_MANY_ATTEMPTS.
 */
export async function renewGuestGlassLink(
  ctx: PourContext & { newSecret(): string },
  { id }: { id: string },
): Promise<{ url: string; expires_at: string }> {
  const { db, actor, now, newSecret, venue } = ctx;
  await consumeRateLimit(ctx, `guest-glass|${actor.user_id}`, GIVEN);
  const token = newSecret();
  const filter = ownGlass(actor, id);
  const [row] = await db
    .update(guest_glass)
    .set({
      token_hash: hashOfSecret(token),
      ...(venue.minimum_age > 0 && { age_stated_at: null, age_stated: null }),
    })
    .where(
      and(
        filter,
        isNull(guest_glass.pour_id),
        isNull(guest_glass.withdrawn_at),
        gt(guest_glass.expires_at, now()),
      ),
    )
    .returning();
  if (row) {
    return { url: linkTo(venue, token), expires_at: row.expires_at.toISOString() };
  }
  throw await whyNotWaiting(ctx, id);
}

/**
 * Withdraws a glass, also an expired one. Throws Refusal NOT_FOUND, or GUEST_GLASS_REFUSED if it was poured or withdrawn.
 */
export async function withdrawGuestGlass(
  ctx: PourContext,
  { id }: { id: string },
): Promise<{ removed: true }> {
  const { db, actor, now } = ctx;
  const rows = await db
    .update(guest_glass)
    .set({ withdrawn_at: now() })
    .where(and(ownGlass(actor, id), isNull(guest_glass.pour_id), isNull(guest_glass.withdrawn_at)))
    .returning();
  if (rows.length > 0) return { removed: true };
  throw await whyNotWaiting(ctx, id);
}

const ownGlass = (actor: PourContext['actor'], id: string) =>
  and(
    eq(guest_glass.id, id),
    eq(guest_glass.customer_id, sql`(select id from customers where user_id = ${actor.user_id}::uuid)`),
  );

async function whyNotWaiting({ db, actor, now }: PourContext, id: string): Promise<Refusal> {
  const [row] = await db.select().from(guest_glass).where(ownGlass(actor, id));
  if (!row) return new Refusal('NOT_FOUND', { what: 'guest glass' });
  const state = stateOf(row, now());
  const reason = state === 'poured' ? 'used' : state === 'withdrawn' ? 'withdrawn' : 'expired';
  return new Refusal('GUEST_GLASS_REFUSED', { reason });
}

interface Found {
  row: Row;
  giver_first_name: string;
  obstacle: GuestGlassObstacle | null;
}

async function byToken(ctx: GuestContext, token: string): Promise<Found | null> {
  const [match] = await ctx.db
    .select({ row: guest_glass, user_id: customers.user_id, giver_first_name: profiles.first_name })
    .from(guest_glass)
    .innerJoin(customers, eq(customers.id, guest_glass.customer_id))
    .innerJoin(profiles, eq(profiles.id, customers.user_id))
    .where(hasToken(guest_glass, token));
  if (!match) return null;
  const { row, giver_first_name } = match;
  const pool = await poolOf(ctx, ctx.db, match.user_id);
  const glass = {
    created_at: row.created_at,
    expires_at: row.expires_at,
    age_stated: row.age_stated_at !== null,
    withdrawn: row.withdrawn_at !== null,
    poured: row.pour_id !== null,
  };
  const obstacle = guestGlassObstacle(glass, { start: pool?.period_start ?? row.created_at }, ctx.now());
  return { row, giver_first_name, obstacle };
}

/** The glass for a code at the bar; null for any other text. */
export async function findGuestGlass(ctx: GuestContext, code: string): Promise<Found | null> {
  return code.startsWith(CODE_PREFIX) ? byToken(ctx, code.slice(CODE_PREFIX.length)) : null;
}

const forGuest = (
  { row, giver_first_name, obstacle }: Found,
  { minimum_age }: Venue,
  token: string,
): ForGuest => ({
  giver_first_name,
  expires_at: row.expires_at.toISOString(),
  minimum_age,
  obstacle,
  code: obstacle ? null : CODE_PREFIX + token,
});

/** The guest's view of a link. Throws Refusal LINK_INVALID. */
export async function readGuestGlass(ctx: GuestContext, { token }: { token: string }): Promise<ForGuest> {
  const glass = await byToken(ctx, token);
  if (!glass) throw new Refusal('LINK_INVALID');
  return forGuest(glass, ctx.venue, token);
}

/** Throws Refusal LINK_INVALID, GUEST_GLASS_REFUSED. */
export async function stateGuestAge(
  ctx: GuestContext,
  { token, age }: { token: string; age: number },
): Promise<ForGuest> {
  const glass = await byToken(ctx, token);
  if (!glass) throw new Refusal('LINK_INVALID');
  const reason = glass.obstacle === 'age_not_stated' ? null : glass.obstacle;
  // The minimum age may have changed since the page was shown.
  if (reason || age < ctx.venue.minimum_age) {
    throw new Refusal('GUEST_GLASS_REFUSED', { reason: reason ?? 'age_not_stated' });
  }
  await ctx.db
    .update(guest_glass)
    .set({ age_stated_at: ctx.now(), age_stated: age })
    .where(and(eq(guest_glass.id, glass.row.id), isNull(guest_glass.age_stated_at)));
  return readGuestGlass(ctx, { token });
}
