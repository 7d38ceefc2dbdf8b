import { hkdfSync } from 'node:crypto';

/** Signs membership card codes and nothing else. */
export type CardKey = Uint8Array;

/** Makes the proof of codes for paper, and nothing else. */
export interface PaperCardKey {
  key: Uint8Array;
  /** Tells keys apart, and says nothing about this one. */
  id: string;
}

const derive = (secret: string, purpose: string, bytes = 32) =>
  new Uint8Array(hkdfSync('sha256', secret, '', `cellar-door/${purpose}`, bytes));

/** The card key of an installation, derived from its secret. */
export function cardKeyFrom(secret: string): CardKey {
  return derive(secret, 'membership-card/v1');
}

/** Makes the codes of gifts, and nothing else. */
export type GiftKey = PaperCardKey;

/** The key for gifts of an installation, derived from its secret. */
export function giftKeyFrom(secret: string): GiftKey {
  const id = Buffer.from(derive(secret, 'gift-key-id/v1', 8)).toString('hex');
  return { key: derive(secret, 'gift/v1'), id };
}

/** The key for paper of an installation, derived from its secret. */
export function paperCardKeyFrom(secret: string): PaperCardKey {
  const id = Buffer.from(derive(secret, 'paper-card-key-id/v1', 8)).toString('hex');
  return { key: derive(secret, 'paper-card/v1'), id };
}
