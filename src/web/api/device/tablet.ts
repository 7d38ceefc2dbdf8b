import { readLocal, removeLocal, writeLocal } from '../local-storage.ts';

/** A browser that staff share at the bar, as GET /api/session describes it. */
export interface Tablet {
  name: string;
  idle_minutes: number;
}

const KEY = 'cellar-door:tablet';

/** The shared tablet that this browser is, by the server's last response; null for any other browser. */
export function readTablet(): Tablet | null {
  const { name, idle_minutes } = (readLocal(KEY) ?? {}) as Partial<Tablet>;
  return typeof name === 'string' && typeof idle_minutes === 'number' ? { name, idle_minutes } : null;
}

export function keepTablet({ name, idle_minutes }: Tablet): void {
  writeLocal(KEY, { name, idle_minutes } satisfies Tablet);
}

export function forgetTablet(): void {
  removeLocal(KEY);
}
