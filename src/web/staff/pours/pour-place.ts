import { titleCaseLocation } from '../../../domain/club/places.ts';
import { readLocal, removeLocal, writeLocal } from '../../api/local-storage.ts';
import { site } from '../../api/site.ts';

const KEY = 'cellar-door:fixed-place';

/** The place that staff fixed for every pour of this device; '' if none, or if that is no longer offered. */
export function fixedPlace(): string {
  const fixed = readLocal(KEY);
  return site.places.find(({ id }) => id === fixed)?.id ?? '';
}

/** Without storage, staff choose again for the next member; '' fixes none. */
export function fixPlace(place: string): void {
  if (place) writeLocal(KEY, place);
  else removeLocal(KEY);
}

/** The name of a place; for a place no longer offered, the words of its id. */
export function placeLabel(id: string): string {
  return site.places.find((place) => place.id === id)?.name ?? titleCaseLocation(id);
}

/** The places on offer. A pour that was already sent keeps its place, even if retired since. */
export function placeOptions(sent: string | undefined): { value: string; label: string }[] {
  const ids = site.places.map(({ id }) => id);
  const all = sent === undefined || ids.includes(sent) ? ids : [...ids, sent];
  return all.map((value) => ({ value, label: placeLabel(value) }));
}
