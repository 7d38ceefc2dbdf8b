/** What staff choose (spec section 9). */
export const POUR_LOCATIONS = ['bar', 'restaurant', 'event', 'tasting_room'] as const;
export type PourLocation = (typeof POUR_LOCATIONS)[number];

/** What is stored (spec section 7, saved pour mapping). */
export type StoredLocation = 'main_bar' | 'private_event' | 'tasting_room';
export const STORED_LOCATIONS: StoredLocation[] = ['main_bar', 'private_event', 'tasting_room'];

export const POUR_LOCATION_LABELS: Record<PourLocation, string> = {
  bar: 'Bar',
  restaurant: 'Restaurant',
  event: 'Event',
  tasting_room: 'Tasting Room',
};

/** Bar and restaurant are both poured at the main bar; anything unknown too. */
export function storedLocation(location: string): StoredLocation {
  if (location === 'event') return 'private_event';
  if (location === 'tasting_room') return 'tasting_room';
  return 'main_bar';
}

/** 'main_bar' -> 'Main Bar' (spec section 2, /pours). */
export function titleCaseLocation(location: string): string {
  return location
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/** 'POUR-' and the time of recording in milliseconds since 1970 (spec section 7). */
export function pourReference(now: Date): string {
  return `POUR-${now.getTime()}`;
}

/** '1 pour', '2 pours' (spec section 2, staff customer page). */
export function pourCount(quantity: number): string {
  return quantity === 1 ? '1 pour' : `${quantity} pours`;
}

/** A glass too many for one tap: keeps a typing slip from draining a member's month. */
export const MAX_POUR_QUANTITY = 100;
export const MAX_NOTES_LENGTH = 500;
export const MAX_REASON_LENGTH = 500;

/** Whoever recorded a pour may take it back without a word for this long. */
export const UNDO_SECONDS = 10;

/**
 * Must staff say why they void a pour? Not whoever recorded it, up to and including ten seconds after.
 * The server's SQL function is held to this rule by a property test.
 */
export function voidNeedsReason(
  pour: { recorded_by: string; recorded_at: Date },
  attempt: { by: string; at: Date },
): boolean {
  const elapsed = attempt.at.getTime() - pour.recorded_at.getTime();
  return attempt.by !== pour.recorded_by || elapsed > UNDO_SECONDS * 1000;
}
