import type { AvailablePours } from '../../contract/members.ts';
import type { Pour, RecordPourInput, StaffPour } from '../../contract/pours.ts';
import { Refusal, type RefusalCode } from '../../contract/refusals.ts';
import { findPlace, type Place, storedLocation, storedPlaceName } from '../../domain/club/places.ts';
import type { GuestGlassObstacle } from '../../domain/membership/guest-glass.ts';
import { isPourTime, pourReference, UNDO_SECONDS } from '../../domain/pour.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tx } from '../db/client.ts';
import { eq } from '../db/orm.ts';
import { violatedConstraint } from '../db/results.ts';
import { pours } from '../db/schema.ts';
import { sqlFunction } from '../db/statements/prepared-statements.ts';
import { type Actor, SessionChangedError } from '../platform/actor.ts';
import { allowanceOf, grantsFor } from './allowance.ts';
import type { PourContext } from './pour-context.ts';
import { listStaffPours, type PourRow, toPour } from './pour-lists.ts';

/**
 * A member's glasses left in the current billing period (docs/rules/glasses.md, "Glasses"). Customers may ask for
 * themselves, staff for any member; another member's id looks unknown. Throws Refusal NOT_FOUND.
 */
export async function getAvailablePours(
  ctx: PourContext,
  { customer_id }: { customer_id: string },
): Promise<AvailablePours> {
  const { actor } = ctx;
  const allowance = await allowanceOf(ctx, 'id', customer_id);
  if (!allowance || (actor.role !== 'staff' && allowance.user_id !== actor.user_id)) {
    throw new Refusal('NOT_FOUND', { what: 'customer' });
  }
  const { available_pours, pours_used, pours_when_paid, carried_pours, resets_at } = allowance;
  const { access, held_pours, rolled_pours, rolled_left } = allowance;
  return {
    access,
    available_pours,
    pours_used,
    held_pours,
    tier_max: allowance.tier_pours,
    period_pours: allowance.period_pours,
    grants: grantsFor(actor, allowance.grants),
    pours_when_paid,
    carried_pours,
    rolled_pours,
    rolled_left,
    resets_at,
  };
}

interface Recorded {
  pour: Pour;
  pours_balance: number;
  repeated: boolean;
}

type RecordAnswer =
  | {
      outcome: 'recorded' | 'repeated';
      available: number;
      voided: boolean;
      pour: Parameters<typeof toPour>[0];
      announcement?: string;
    }
  | { outcome: 'exceeded'; available: number }
  | { outcome: 'guest_glass'; reason: GuestGlassObstacle }
  | { outcome: 'not_active' | 'reused' | 'not_found' | 'session_changed' };

const askRecordPour = sqlFunction<RecordAnswer>('record_pour');

/**
 * The SQL function record_pour locks the member, decides and inserts, in one round trip (docs/rules/pours.md, "Recording
 * a pour"). Throws Refusal NOT_FOUND, PLACE_UNKNOWN, CUSTOMER_NOT_ACTIVE, POURS_EXCEEDED (with the number left),
 * REQUEST_ID_REUSED, GUEST_GLASS_REFUSED or POUR_TIME_REFUSED; and if the actor's session has ended NOT_SIGNED_IN, or SessionChangedError
 * if it was only remembered.
 */
export async function recordPour(
  ctx: PourContext,
  { guest_glass_id, poured_at, ...input }: RecordPourInput,
): Promise<Recorded> {
  const refuse = (refusal: Refusal<RefusalCode>) => {
    ctx.observe?.({ type: 'pour refused', reason: refusal.code });
    return refusal;
  };
  const place = await readPlace(ctx, input.location);
  if (!place) throw refuse(new Refusal('PLACE_UNKNOWN'));
  const now = ctx.now();
  const entryTime = poured_at === undefined ? null : new Date(poured_at);
  if (entryTime && !isPourTime(entryTime, now)) throw refuse(new Refusal('POUR_TIME_REFUSED'));
  const pour = {
    ...input,
    id: ctx.newId(),
    place: place.id,
    location: storedLocation(place),
    place_name: storedPlaceName(place),
    notes: input.notes || null,
    toast_reference_number: pourReference(now),
    status: 'redeemed',
    recorded_by_staff_id: ctx.actor.user_id,
    bar_device_id: ctx.actor.bar_device_id ?? null,
    created_at: entryTime && entryTime < now ? entryTime : now,
    recorded_at: entryTime && now,
  } satisfies Partial<Record<keyof PourRow, unknown>>;
  const answer = await callRecordPour(ctx, { pour, guest_glass_id, session: sessionOf(ctx.actor) });
  switch (answer.outcome) {
    case 'recorded':
    case 'repeated':
      if (answer.announcement) ctx.announce(answer.announcement);
      ctx.observe?.(
        answer.outcome === 'recorded'
          ? { type: 'pour recorded', glasses: input.quantity }
          : { type: 'pour repeated' },
      );
      return {
        pour: readableBy(ctx.actor, toPour(answer.pour, answer.voided), answer.pour.recorded_by_staff_id),
        pours_balance: answer.available,
        repeated: answer.outcome === 'repeated',
      };
    case 'exceeded':
      throw refuse(new Refusal('POURS_EXCEEDED', { available_pours: answer.available }));
    case 'guest_glass':
      throw refuse(new Refusal('GUEST_GLASS_REFUSED', { reason: answer.reason }));
    case 'not_active':
      throw refuse(new Refusal('CUSTOMER_NOT_ACTIVE'));
    case 'reused':
      throw refuse(new Refusal('REQUEST_ID_REUSED'));
    case 'not_found':
      throw refuse(new Refusal('NOT_FOUND', { what: 'customer' }));
    case 'session_changed':
      throw ctx.actor.remembered_session ? new SessionChangedError() : new Refusal('NOT_SIGNED_IN');
  }
}

/** An API client needs a separate scope to read a colleague's notes. */
const readableBy = <P extends Pour>({ api_client, user_id }: Actor, pour: P, recordedBy: string): P =>
  api_client && recordedBy !== user_id ? { ...pour, notes: null } : pour;

/** The caller's session, for the SQL functions to check; undefined for calls without one. */
function sessionOf({ remembered_session, session_id: id, user_id, role, api_client }: Actor) {
  if (remembered_session || !id) return remembered_session;
  return { id, user_id, role, ...(api_client && { api_client }) };
}

/** A pour's place, retired or not. A place just added in another process is read from the database. */
async function readPlace({ club }: PourContext, id: string): Promise<Place | undefined> {
  const place = findPlace(club.current().places, id);
  if (place) return place;
  await club.refresh();
  return findPlace(club.current().places, id);
}

async function callRecordPour(
  { db, venue }: PourContext,
  input: { pour: object; guest_glass_id: string | undefined; session: ReturnType<typeof sessionOf> },
): Promise<RecordAnswer> {
  try {
    return await askRecordPour(db, { ...input, time_zone: venue.time_zone });
  } catch (error) {
    // Locks on two members do not exclude each other, so both can use the same request_id at once.
    if (violatedConstraint(error) === 'pours_request_id_unique') return { outcome: 'reused' };
    throw error;
  }
}

type VoidAnswer =
  | {
      outcome: 'voided' | 'already';
      available: number;
      announcement: string | null;
      other: { user_id: string; glasses: number; recorded_by_id: string } | null;
    }
  | { outcome: 'needs_reason' | 'not_found' | 'session_changed' };

const askVoidPour = sqlFunction<VoidAnswer>('void_pour');

/**
 * Voids a pour (docs/rules/pours.md, "Voiding a pour"): the SQL function void_pour locks the member, decides and adds
 * the void, so that balance and lifetime follow at once. A voided pour returns its first void; a blank reason counts as
 * none. Voiding another staff member's pour adds an audit entry. Throws Refusal NOT_FOUND, VOID_NEEDS_REASON, NOT_SIGNED_IN
 * if the session has ended, and NOT_ALLOWED for a colleague's pour on a shared tablet.
 */
export async function voidPour(
  ctx: PourContext,
  { id, reason }: { id: string; reason?: string },
): Promise<{ pour: StaffPour; pours_balance: number }> {
  if (ctx.actor.bar_device_id) await assertOwnPour(ctx, id);
  const answer = await ctx.db.transaction((tx) => callVoidPour(ctx, tx, { id, reason }));
  switch (answer.outcome) {
    case 'voided':
    case 'already': {
      if (answer.announcement) ctx.announce(answer.announcement);
      if (answer.outcome === 'voided') ctx.observe?.({ type: 'pour voided' });
      const [pour] = await listStaffPours(ctx, eq(pours.id, id), 1);
      if (!pour) throw new Error('The pour that was voided is gone');
      return {
        pour: readableBy(ctx.actor, pour, pour.own ? ctx.actor.user_id : ''),
        pours_balance: answer.available,
      };
    }
    case 'needs_reason':
      throw new Refusal('VOID_NEEDS_REASON');
    case 'not_found':
      throw new Refusal('NOT_FOUND', { what: 'pour' });
    case 'session_changed':
      throw new Refusal('NOT_SIGNED_IN');
  }
}

/** On a shared tablet, staff only void their own pours. Throws Refusal NOT_ALLOWED. */
async function assertOwnPour({ db, actor }: PourContext, id: string): Promise<void> {
  const [pour] = await db.select({ by: pours.recorded_by_staff_id }).from(pours).where(eq(pours.id, id));
  if (pour && pour.by !== actor.user_id) throw new Refusal('NOT_ALLOWED');
}

async function callVoidPour(
  ctx: PourContext,
  tx: Tx,
  { id, reason }: { id: string; reason: string | undefined },
): Promise<VoidAnswer> {
  const answer = await askVoidPour(tx, {
    void: {
      pour_id: id,
      reason: reason?.trim() || null,
      voided_by_staff_id: ctx.actor.user_id,
      bar_device_id: ctx.actor.bar_device_id ?? null,
      created_at: ctx.now(),
    },
    undo_seconds: UNDO_SECONDS,
    time_zone: ctx.venue.time_zone,
    session: sessionOf(ctx.actor),
  });
  if ('other' in answer && answer.other) {
    const { user_id: subject_id, ...facts } = answer.other;
    await recordAudit(tx, ctx, { act: 'pour_voided', subject_id, facts: { pour_id: id, ...facts } });
  }
  return answer;
}
