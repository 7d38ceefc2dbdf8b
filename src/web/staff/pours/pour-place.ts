import type { PourLocation } from '../../../domain/pour.ts';
import { POUR_LOCATIONS } from '../../../domain/pour.ts';
import { readLocal, writeLocal } from '../../api/local-storage.ts';

const KEY = 'cellar-door:place';

/** Where this device poured last: the tablet in the tasting room stays in the tasting room. '' if it never has. */
export function loadPlace(): PourLocation | '' {
  return POUR_LOCATIONS.find((place) => place === readLocal(KEY)) ?? '';
}

/** Without storage, staff choose again on the next page. */
export function savePlace(place: PourLocation): void {
  writeLocal(KEY, place);
}
