/** What stays on the device, so that a member without network still has a card to show. */
export interface OfflineCard {
  user_id: string;
  first_name: string;
  last_name: string;
  tier: string;
  /** A day, YYYY-MM-DD. */
  member_since: string;
  /** The last code. Its life is counted from when it arrived, by this device's clock. */
  token: string;
  arrived_at: number;
}

const key = 'cellar-door:card';

/** The card kept on this device, if any. */
export function readOfflineCard(): OfflineCard | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as OfflineCard | null;
  } catch {
    return null;
  }
}

export function saveOfflineCard(card: OfflineCard): void {
  try {
    localStorage.setItem(key, JSON.stringify(card));
  } catch {
    // No room, or a browser that keeps nothing: then there is no card without network.
  }
}

/** Takes the card away, unless it belongs to the user named. */
export function deleteOfflineCard(exceptOf?: string): void {
  if (exceptOf && readOfflineCard()?.user_id === exceptOf) return;
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept, then.
  }
}
