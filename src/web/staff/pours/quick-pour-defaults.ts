import type { PourDraft } from '../../../contract/pours.ts';
import { MAX_POUR_QUANTITY, POUR_LOCATIONS } from '../../../domain/pour.ts';
import { readLocal, writeLocal } from '../../api/local-storage.ts';

/** What one tap pours. */
export type QuickPour = Pick<PourDraft, 'quantity' | 'location'>;

const KEY = 'cellar-door:quick-pour';
const DEFAULTS: QuickPour = { quantity: 1, location: 'bar' };

/** As last chosen on this device: the tablet in the tasting room stays in the tasting room. */
export function loadQuickPour(): QuickPour {
  const { quantity, location } = (readLocal(KEY) ?? {}) as Partial<QuickPour>;
  const valid = Number.isInteger(quantity) && Number(quantity) >= 1 && Number(quantity) <= MAX_POUR_QUANTITY;
  return {
    quantity: valid ? Number(quantity) : DEFAULTS.quantity,
    location: POUR_LOCATIONS.find((place) => place === location) ?? DEFAULTS.location,
  };
}

/** Without storage, staff choose again on the next page. */
export function saveQuickPour({ quantity, location }: QuickPour): void {
  writeLocal(KEY, { quantity, location });
}

/** Never more in one tap than the member has left. */
export function withinBalance(choice: QuickPour, balance: number): QuickPour {
  return { ...choice, quantity: Math.max(1, Math.min(choice.quantity, balance)) };
}
