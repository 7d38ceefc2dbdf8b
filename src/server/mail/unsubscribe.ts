import { createHmac, timingSafeEqual } from 'node:crypto';
import type { MailContext } from './send-email.ts';

/** Context for emails that their reader can turn off without signing in. docs/rules/emails.md, "Emails". */
export interface PersonalMailContext extends MailContext {
  unsubscribeKey: Uint8Array;
}

const ID_BYTES = 16;
const MAC_BYTES = 16;

const macOf = (key: Uint8Array, id: Uint8Array) =>
  createHmac('sha256', key).update(id).digest().subarray(0, MAC_BYTES);

/** The secret of a user's link, which is not stored and does not expire: emails are read late. */
export function unsubscribeToken(key: Uint8Array, user_id: string): string {
  const id = Buffer.from(user_id.replaceAll('-', ''), 'hex');
  return Buffer.concat([id, macOf(key, id)]).toString('base64url');
}

/** The user whose link it is; null if we did not make it. */
export function userOfUnsubscribeToken(key: Uint8Array, token: string): string | null {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== ID_BYTES + MAC_BYTES) return null;
  const id = bytes.subarray(0, ID_BYTES);
  if (!timingSafeEqual(bytes.subarray(ID_BYTES), macOf(key, id))) return null;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
