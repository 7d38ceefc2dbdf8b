/**
 * Pours: how they are shown, and when voiding one needs a reason; places are in club/places.ts. These are the rules in
 * readable form (docs/rules/pours.md, "Recording a pour", "Voiding a pour"). In production the SQL function void_pour
 * applies voidNeedsReason (src/server/db/functions); tests/server/pours/pour-voids.test.ts checks that the two agree.
 */

/** 'POUR-' and the time of recording in milliseconds since 1970. */
export function pourReference(now: Date): string {
  return `POUR-${now.getTime()}`;
}

export function pourCount(quantity: number): string {
  return quantity === 1 ? '1 pour' : `${quantity} pours`;
}

/** More glasses than this are shown as a number, which is easier to read than a row. */
export const MAX_GLASSES_IN_ROW = 24;
/** Up to this many, the glasses in a row are large. */
export const MAX_LARGE_GLASSES = 12;

/** Keeps a typing error from using up a member's month. */
export const MAX_POUR_QUANTITY = 100;
export const MAX_NOTES_LENGTH = 500;
export const MAX_REASON_LENGTH = 500;

/** A pour that waited on a device keeps its time this long: by then, staff have signed in there again. */
export const MAX_POUR_WAIT_DAYS = 31;
/** Clocks differ, and the app knows the server's to 15 seconds. */
const POUR_CLOCK_TOLERANCE_MS = 60_000;

/** Whether a waiting pour can have been made then: not in the future, and at most MAX_POUR_WAIT_DAYS ago. */
export function isPourTime(poured_at: Date, now: Date): boolean {
  const waited = now.getTime() - poured_at.getTime();
  return waited >= -POUR_CLOCK_TOLERANCE_MS && waited <= MAX_POUR_WAIT_DAYS * 86_400_000;
}

/** Staff may void their own pour without a reason for this long. */
export const UNDO_SECONDS = 10;

/** The person who recorded it needs no reason within UNDO_SECONDS, that last second included. */
export function voidNeedsReason(
  pour: { recorded_by: string; recorded_at: Date },
  attempt: { by: string; at: Date },
): boolean {
  const seconds = attempt.at.getTime() - pour.recorded_at.getTime();
  return attempt.by !== pour.recorded_by || seconds > UNDO_SECONDS * 1000;
}
