/**
 * Pours: where they are poured, how they are shown, and when voiding one needs a reason. These are the rules in their
 * readable form (docs/rules.md, "Recording a pour", "Taking a pour back"). In production the SQL function void_pour
 * applies voidNeedsReason (src/server/db/functions); tests/server/pours/pour-voids.test.ts holds the two together.
 */

/** What staff choose. */
export const POUR_LOCATIONS = ['bar', 'restaurant', 'event', 'tasting_room'] as const;
export type PourLocation = (typeof POUR_LOCATIONS)[number];

/** What is stored. */
export type StoredLocation = 'main_bar' | 'private_event' | 'tasting_room';
export const STORED_LOCATIONS: StoredLocation[] = ['main_bar', 'private_event', 'tasting_room'];

export const POUR_LOCATION_LABELS: Record<PourLocation, string> = {
  bar: 'Bar',
  restaurant: 'Restaurant',
  event: 'Event',
  tasting_room: 'Tasting Room',
};

/** The main bar is the default: of the bar and the restaurant. No call gets here with a place that is none of the four. */
export function storedLocation(location: PourLocation): StoredLocation {
  if (location === 'event') return 'private_event';
  if (location === 'tasting_room') return 'tasting_room';
  return 'main_bar';
}

/** 'main_bar' -> 'Main Bar'. */
export function titleCaseLocation(location: string): string {
  return location
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/** 'POUR-' and the time of recording in milliseconds since 1970. */
export function pourReference(now: Date): string {
  return `POUR-${now.getTime()}`;
}

/** '1 pour', '2 pours'. */
export function pourCount(quantity: number): string {
  return quantity === 1 ? '1 pour' : `${quantity} pours`;
}

/** Keeps a typing slip from using up a member's month. */
export const MAX_POUR_QUANTITY = 100;
export const MAX_NOTES_LENGTH = 500;
export const MAX_REASON_LENGTH = 500;

/** Staff may void their own pour without a reason for this long. */
export const UNDO_SECONDS = 10;

/**
 * Whether voiding a pour needs a reason: not for the one who recorded it, up to and including UNDO_SECONDS after.
 */
export function voidNeedsReason(
  pour: { recorded_by: string; recorded_at: Date },
  attempt: { by: string; at: Date },
): boolean {
  const elapsed = attempt.at.getTime() - pour.recorded_at.getTime();
  return attempt.by !== pour.recorded_by || elapsed > UNDO_SECONDS * 1000;
}
