import { type LocalDate, localDate, startOfDay } from '../calendar.ts';

// From the venue to a card: docs/rules/dues.md, "From the venue to a card".

/** Stripe's page takes a first charge that is two days ahead; the hour is for the request and for clocks. */
const EARLIEST_MS = 49 * 3_600_000;
/** Stripe's page takes one that is at most two years ahead. */
const LATEST_MS = 729 * 86_400_000;

/**
 * When a card is charged first for a membership that is paid until a day: then, or in two days if that is later. Null if it is
 * overdue: at once. 'too_far' if Stripe cannot wait so long.
 */
export function firstChargeAt(paid_until: LocalDate, now: Date, timeZone: string): Date | null | 'too_far' {
  const at = startOfDay(paid_until, timeZone);
  if (at <= now) return null;
  if (at.getTime() - now.getTime() > LATEST_MS) return 'too_far';
  return new Date(Math.max(at.getTime(), now.getTime() + EARLIEST_MS));
}

/** A membership at the venue, as far as a card can go on from it. */
interface AtVenue {
  paid_until: LocalDate | null;
  ends_on: LocalDate | null;
}

/**
 * The first day of the card, if a subscription that charges first at `first_charge` can take over from a membership: nothing that
 * is paid is lost, and no end was set meanwhile. Otherwise null.
 */
export function firstCardDay(
  { paid_until, ends_on }: AtVenue,
  first_charge: Date,
  timeZone: string,
): LocalDate | null {
  const day = localDate(first_charge, timeZone);
  return paid_until !== null && paid_until <= day && ends_on === null ? day : null;
}
