/** docs/rules/club.md, "Places". A place is retired, never removed: a queued pour may name it. */

export interface Place {
  /** The id used in pours: lowercase letters, digits and underscores. Never changes. */
  id: string;
  name: string;
  /** No longer offered; pours that name the place are still recorded. */
  retired: boolean;
}

/** The places of a new club, in the order in which they are offered. */
export const DEFAULT_PLACES: Place[] = [
  { id: 'bar', name: 'Bar', retired: false },
  { id: 'restaurant', name: 'Restaurant', retired: false },
  { id: 'event', name: 'Event', retired: false },
  { id: 'tasting_room', name: 'Tasting Room', retired: false },
];

export const PLACE_ID = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;
export const MAX_PLACE_ID_LENGTH = 40;
export const MAX_PLACES = 30;
export const MAX_PLACE_NAME_LENGTH = 30;
/** Words with single spaces: no underscore, because that means a space in a location. */
export const PLACE_NAME = /^[\p{L}\p{N}&'’.,()/+#-]+(?: [\p{L}\p{N}&'’.,()/+#-]+)*$/u;

/** The ledger's location by place id; every other place is the main bar. */
const LOCATIONS: Record<string, string> = {
  bar: 'main_bar',
  restaurant: 'main_bar',
  event: 'private_event',
  tasting_room: 'tasting_room',
};
const OTHER_LOCATION = 'main_bar';

/** 'main_bar' -> 'Main Bar'. */
export function titleCaseLocation(location: string): string {
  return location
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}

/** The location that the ledger stores for a pour at this place, regardless of the place's name. */
export const storedLocation = ({ id }: Pick<Place, 'id'>): string => LOCATIONS[id] ?? OTHER_LOCATION;

/** The name to store beside the location: the venue's current name, or null if it is the default or equals the location. */
export function storedPlaceName(place: Pick<Place, 'id' | 'name'>): string | null {
  const isFirst = findPlace(DEFAULT_PLACES, place.id)?.name === place.name;
  return isFirst || titleCaseLocation(storedLocation(place)) === place.name ? null : place.name;
}

/** The place of a pour for display: the venue's own name, else the location. */
export const pourPlaceText = (pour: { location: string; place_name: string | null }): string =>
  pour.place_name ?? titleCaseLocation(pour.location);

export function findPlace(places: readonly Place[], id: string): Place | undefined {
  return places.find((place) => place.id === id);
}

/** An id for a new place: its name in plain ASCII, with a number if that id is taken. */
export function newPlaceId(name: string, ids: readonly string[]): string {
  const base = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const words = base.replaceAll(/[^a-z0-9]+/g, '_').replaceAll(/^_|_$/g, '') || 'place';
  const free = (id: string) => !ids.includes(id);
  if (free(words)) return words;
  for (let n = 2; ; n++) if (free(`${words}_${n}`)) return `${words}_${n}`;
}

export type PlaceDraft = Omit<Place, 'id'> & { id?: string | undefined };

/** The list to store: places with an unknown id or none get a new one; missing known ones are retired, at the end. */
export function mergePlaces(current: readonly Place[], drafts: readonly PlaceDraft[]): Place[] {
  const ids = current.map(({ id }) => id);
  const results = drafts.map(({ id, name, retired }) => {
    if (id !== undefined && findPlace(current, id)) return { id, name, retired };
    const newId = newPlaceId(name, ids);
    ids.push(newId);
    return { id: newId, name, retired };
  });
  const leftovers = current.filter(({ id }) => !findPlace(results, id));
  return [...results, ...leftovers.map((place) => ({ ...place, retired: true }))];
}

/** The problem with a list of places; null if there is none. Names must differ by more than case. */
export function placesProblem(places: readonly PlaceDraft[]): string | null {
  if (places.length > MAX_PLACES) return `You can have at most ${MAX_PLACES} places, including retired ones.`;
  const names = places.filter(({ retired }) => !retired).map(({ name }) => name.toLowerCase());
  if (names.length === 0) return 'Keep at least one place.';
  return new Set(names).size < names.length ? 'Two places have the same name.' : null;
}

/** 'Bar, Terrace; retired: Event' */
export function describePlaces(places: readonly Place[]): string {
  const names = (isRetired: boolean) =>
    places.filter((place) => place.retired === isRetired).map(({ name }) => name);
  const retirees = names(true);
  return [names(false).join(', '), ...(retirees.length > 0 ? [`retired: ${retirees.join(', ')}`] : [])].join(
    '; ',
  );
}
