import { titleCaseLocation } from '../../../domain/club/places.ts';
import { readLocal, writeLocal } from '../../api/local-storage.ts';
import { site } from '../../api/site.ts';

const KEY = 'cellar-door:place';

/** The place where this device poured last; '' if that is not offered. */
export function loadPlace(): string {
  const last = readLocal(KEY);
  return site.places.find(({ id }) => id === last)?.id ?? '';
}

/** Without storage, staff choose again on the next page. */
export function savePlace(place: string): void {
  writeLocal(KEY, place);
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
