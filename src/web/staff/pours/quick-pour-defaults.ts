import type { PourLocation } from '../../../domain/pour.ts';
import { MAX_POUR_QUANTITY, POUR_LOCATIONS } from '../../../domain/pour.ts';

/** What one tap pours. */
export interface QuickPourDefaults {
  quantity: number;
  location: PourLocation;
}

const key = 'cellar-door:pour-choice';
const usual: QuickPourDefaults = { quantity: 1, location: 'bar' };

/** As last chosen on this device: a tasting room's tablet stays in the tasting room. */
export function rememberedChoice(): QuickPourDefaults {
  try {
    const { quantity, location } = JSON.parse(
      localStorage.getItem(key) ?? '{}',
    ) as Partial<QuickPourDefaults>;
    const counts =
      Number.isInteger(quantity) && Number(quantity) >= 1 && Number(quantity) <= MAX_POUR_QUANTITY;
    return {
      quantity: counts ? Number(quantity) : usual.quantity,
      location: POUR_LOCATIONS.find((place) => place === location) ?? usual.location,
    };
  } catch {
    return usual;
  }
}

export function rememberChoice({ quantity, location }: QuickPourDefaults): void {
  try {
    localStorage.setItem(key, JSON.stringify({ quantity, location }));
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}

/** Never more in one tap than the member has. */
export function withinBalance(choice: QuickPourDefaults, balance: number): QuickPourDefaults {
  return { ...choice, quantity: Math.max(1, Math.min(choice.quantity, balance)) };
}
