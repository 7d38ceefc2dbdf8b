/** Events that the venue's other systems can subscribe to. docs/run/connect.md, "Other systems". */
export const WEBHOOK_EVENTS = [
  'member.joined',
  'member.tier_changed',
  'member.left',
  'member.dues_recorded',
  'household.joined',
  'household.left',
  'pour.recorded',
  'pour.voided',
  'benefit.used',
  'benefit.voided',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Sent manually, to test an endpoint. */
export const WEBHOOK_TEST = 'test' as const;

/** The version of the payload's shape. Adding a field does not change it. */
export const WEBHOOK_VERSION = 1;

export const MAX_WEBHOOK_ENDPOINTS = 10;
export const MAX_WEBHOOK_URL_LENGTH = 500;
/** Days after which events and their deliveries are deleted. */
export const WEBHOOK_KEPT_DAYS = 30;
/** Hours for which the previous secret still signs alongside a new one. */
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds from each failed attempt to the next: ten more attempts over a little less than three days. */
export const WEBHOOK_RETRY_SECONDS: readonly number[] = [
  30,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
  24 * HOUR,
];

/**
 * Why an endpoint is off. failing: nothing arrived for days. gone: it answered 410. secret_lost: its secret cannot be read
 * since AUTH_SECRET changed. staff: turned off manually.
 */
export const WEBHOOK_OFF_REASONS = ['failing', 'gone', 'secret_lost', 'staff'] as const;
export type WebhookOffReason = (typeof WEBHOOK_OFF_REASONS)[number];

/** Why an endpoint's URL is refused. */
export const WEBHOOK_URL_PROBLEMS = ['private_network', 'unknown_host'] as const;

/** HTTPS, without user, password and fragment. The host's address is checked separately. */
export function isWebhookUrl(url: string): boolean {
  if (url.length > MAX_WEBHOOK_URL_LENGTH || !URL.canParse(url)) return false;
  const { protocol, username, password, hash, hostname } = new URL(url);
  return protocol === 'https:' && !username && !password && !hash && hostname !== '';
}

/** Whether the receiver accepted the message: only a 2xx does. A redirect does not, and is not followed. */
export const isTaken = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

interface FailedTry {
  /** Attempts so far, including this one. */
  attempts: number;
  status: number | null;
  first_attempt_at: Date;
  last_success_at: Date | null;
}

/** The consequence of a failed attempt: another after some seconds, none for this message, or none to this endpoint. */
export function afterFailedTry({
  attempts,
  status,
  first_attempt_at,
  last_success_at,
}: FailedTry): { retry: number } | 'give up' | { off: 'failing' | 'gone' } {
  if (status === 410) return { off: 'gone' };
  const retry = WEBHOOK_RETRY_SECONDS[attempts - 1];
  if (retry !== undefined) return { retry };
  return last_success_at && last_success_at > first_attempt_at ? 'give up' : { off: 'failing' };
}
