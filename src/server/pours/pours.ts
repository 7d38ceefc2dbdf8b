import { desc, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Pour, StaffPour } from '../../contract/pours.ts';
import type { Availability } from '../../domain/allowance.ts';
import { type PourLocation, pourReference, storedLocation, UNDO_SECONDS } from '../../domain/pour.ts';
import { Refusal } from '../../domain/refusal.ts';
import { rowsOf, violatedConstraint } from '../db/results.ts';
import { customers, pour_voids, pours, profiles } from '../db/schema.ts';
import { allowanceOf } from './allowance.ts';
import type { PourContext } from './context.ts';

const MEMBER_HISTORY = 50;
const STAFF_HISTORY = 10;

const recorder = alias(profiles, 'recorder');
const voider = alias(profiles, 'voider');
const fullName = (of: typeof recorder | typeof voider) =>
  sql<string>`trim(${of.first_name} || ' ' || ${of.last_name})`;

async function history({ db }: PourContext, which: SQL, limit: number): Promise<StaffPour[]> {
  const rows = await db
    .select({ pour: pours, recorded_by: fullName(recorder), gone: pour_voids, voided_by: fullName(voider) })
    .from(pours)
    .innerJoin(recorder, eq(recorder.id, pours.recorded_by_staff_id))
    .leftJoin(pour_voids, eq(pour_voids.pour_id, pours.id))
    .leftJoin(voider, eq(voider.id, pour_voids.voided_by_staff_id))
    .where(which)
    .orderBy(desc(pours.created_at), desc(pours.id))
    .limit(limit);
  return rows.map(({ pour, recorded_by, gone, voided_by }) => ({
    ...toPour(pour, gone !== null),
    recorded_by,
    voided: gone ? { at: gone.created_at.toISOString(), by: voided_by, reason: gone.reason } : null,
  }));
}

function toPour(row: typeof pours.$inferSelect, voided: boolean): Pour {
  const { id, quantity, location, notes, toast_reference_number, status, created_at } = row;
  return {
    id,
    quantity,
    location,
    notes,
    toast_reference_number,
    status: voided ? 'voided' : status,
    created_at: created_at.toISOString(),
  };
}

/** The actor's own last 50 pours, newest first; none without a membership (spec section 9). */
export async function listOwnPours(ctx: PourContext): Promise<Pour[]> {
  const [customer] = await ctx.db
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.user_id, ctx.actor.user_id));
  if (!customer) return [];
  // Who of the staff poured or took back is no business of members; nor would the database say.
  const rows = await ctx.db
    .select({ pour: pours, void_of: pour_voids.pour_id })
    .from(pours)
    .leftJoin(pour_voids, eq(pour_voids.pour_id, pours.id))
    .where(eq(pours.customer_id, customer.id))
    .orderBy(desc(pours.created_at), desc(pours.id))
    .limit(MEMBER_HISTORY);
  return rows.map(({ pour, void_of }) => toPour(pour, void_of !== null));
}

/** A member's last ten pours, for staff. Throws Refusal NOT_FOUND. */
export async function listCustomerPours(
  ctx: PourContext,
  { customer_id }: { customer_id: string },
): Promise<StaffPour[]> {
  const [customer] = await ctx.db
    .select({ id: customers.id })
    .from(customers)
    .where(eq(customers.id, customer_id));
  if (!customer) throw new Refusal('NOT_FOUND', { what: 'customer' });
  return history(ctx, eq(pours.customer_id, customer_id), STAFF_HISTORY);
}

/**
 * What a member has left in the current billing period. A customer may ask for themselves, staff for anybody.
 * Somebody else's id is answered like an unknown one. Throws Refusal NOT_FOUND.
 */
export async function getAvailablePours(
  ctx: PourContext,
  { customer_id }: { customer_id: string },
): Promise<Availability> {
  const { actor } = ctx;
  const has = await allowanceOf(ctx, 'id', customer_id);
  if (!has || (actor.role !== 'staff' && has.user_id !== actor.user_id)) {
    throw new Refusal('NOT_FOUND', { what: 'customer' });
  }
  const left = has.access ? Math.max(0, has.tier_max - has.pours_used) : 0;
  return { available_pours: left, pours_used: has.pours_used, tier_max: has.tier_max };
}

export interface RecordPour {
  request_id: string;
  customer_id: string;
  quantity: number;
  location: PourLocation;
  notes?: string;
}

interface Recorded {
  pour: Pour;
  pours_balance: number;
  /** True when this request_id had already been recorded: nothing was poured now. */
  repeated: boolean;
}

/**
 * Records a pour in one round trip: the SQL function record_pour locks the member, decides and inserts.
 * Throws Refusal NOT_FOUND, CUSTOMER_NOT_ACTIVE, POURS_EXCEEDED (with what is left) or REQUEST_ID_REUSED.
 */
export async function recordPour(ctx: PourContext, input: RecordPour): Promise<Recorded> {
  try {
    return await decideAndRecord(ctx, input);
  } catch (error) {
    // Two members' locks do not exclude each other: the same request_id came for both at once.
    if (violatedConstraint(error) === 'pours_request_id_unique') throw new Refusal('REQUEST_ID_REUSED');
    throw error;
  }
}

async function decideAndRecord(ctx: PourContext, input: RecordPour): Promise<Recorded> {
  const { db, actor, newId, timeZone } = ctx;
  const now = ctx.now();
  const id = newId();
  const location = storedLocation(input.location);
  const notes = input.notes || null;
  const reference = pourReference(now);
  const [decided] = await rowsOf<{ outcome: string; pour: string; available: number }>(
    db,
    sql`select * from record_pour(${id}::uuid, ${input.request_id}::uuid, ${input.customer_id}::uuid,
          ${input.quantity}::integer, ${location}, ${notes}, ${reference}, ${actor.user_id}::uuid,
          ${now.toISOString()}::timestamptz, ${timeZone})`,
  );
  switch (decided?.outcome) {
    case 'recorded':
      return {
        pour: {
          id,
          quantity: input.quantity,
          location,
          notes,
          toast_reference_number: reference,
          status: 'redeemed',
          created_at: now.toISOString(),
        },
        pours_balance: decided.available,
        repeated: false,
      };
    case 'repeated':
      return { pour: await getPour(ctx, decided.pour), pours_balance: decided.available, repeated: true };
    case 'exceeded':
      throw new Refusal('POURS_EXCEEDED', { available_pours: decided.available });
    case 'not_active':
      throw new Refusal('CUSTOMER_NOT_ACTIVE');
    case 'reused':
      throw new Refusal('REQUEST_ID_REUSED');
    case 'not_found':
      throw new Refusal('NOT_FOUND', { what: 'customer' });
    default:
      throw new Error(`record_pour answered ${decided?.outcome}`);
  }
}

async function getPour(ctx: PourContext, id: string): Promise<StaffPour> {
  const [pour] = await history(ctx, eq(pours.id, id), 1);
  if (!pour) throw new Refusal('NOT_FOUND', { what: 'pour' });
  return pour;
}

/**
 * Takes a pour back: the SQL function void_pour locks the member, decides and adds the void, so that balance
 * and lifetime follow at once. A pour that is already voided answers its first void.
 * Throws Refusal NOT_FOUND or VOID_NEEDS_REASON (domain/pour.ts voidNeedsReason); a blank reason is none.
 */
export async function voidPour(
  ctx: PourContext,
  { id, reason }: { id: string; reason?: string },
): Promise<{ pour: StaffPour; pours_balance: number }> {
  const { db, actor, now, timeZone } = ctx;
  const [decided] = await rowsOf<{ outcome: string; available: number }>(
    db,
    sql`select * from void_pour(${id}::uuid, ${actor.user_id}::uuid, ${reason?.trim() || null}::text,
          ${UNDO_SECONDS}::integer, ${now().toISOString()}::timestamptz, ${timeZone})`,
  );
  switch (decided?.outcome) {
    case 'voided':
    case 'already':
      return { pour: await getPour(ctx, id), pours_balance: decided.available };
    case 'needs_reason':
      throw new Refusal('VOID_NEEDS_REASON');
    case 'not_found':
      throw new Refusal('NOT_FOUND', { what: 'pour' });
    default:
      throw new Error(`void_pour answered ${decided?.outcome}`);
  }
}
