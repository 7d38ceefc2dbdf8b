/** What other systems of the venue can be told of. docs/run/connect.md, "Other systems". */
export const WEBHOOK_EVENTS = [
  'member.joined',
  'member.tier_changed',
  'member.left',
  'household.joined',
  'household.left',
  'pour.recorded',
  'pour.voided',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Sent by hand, to see whether an endpoint works. */
export const WEBHOOK_TEST = 'test' as const;

/** Of the payload's shape: a field may be added without another version. */
export const WEBHOOK_VERSION = 1;

export const MAX_WEBHOOK_ENDPOINTS = 10;
export const MAX_WEBHOOK_URL_LENGTH = 500;
/** Events and their deliveries are deleted after this. */
export const WEBHOOK_KEPT_DAYS = 30;
/** How long the previous secret still signs alongside a new one. */
export const WEBHOOK_SECRET_OVERLAP_HOURS = 24;

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds from each failed try to the next: ten more tries, over a little less than three days. */
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

/** Why an endpoint gets nothing for now. failing: nothing arrived for days. gone: it answered 410. staff: by hand. */
export const WEBHOOK_OFF_REASONS = ['failing', 'gone', 'secret_lost', 'staff'] as const;
export type WebhookOffReason = (typeof WEBHOOK_OFF_REASONS)[number];

/** Why an endpoint's URL is refused. */
export const WEBHOOK_URL_PROBLEMS = ['private_network', 'unknown_host'] as const;
export type WebhookUrlProblem = (typeof WEBHOOK_URL_PROBLEMS)[number];

/** Whether a URL can be an endpoint's: HTTPS, without user, password and fragment. Where it leads is checked apart. */
export function isWebhookUrl(url: string): boolean {
  if (url.length > MAX_WEBHOOK_URL_LENGTH || !URL.canParse(url)) return false;
  const { protocol, username, password, hash, hostname } = new URL(url);
  return protocol === 'https:' && !username && !password && !hash && hostname !== '';
}

/** A 2xx says that the message was taken. A redirect does not: it is not followed. */
export const isTaken = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

interface FailedTry {
  /** Tries so far, with this one. */
  attempts: number;
  /** Null without an answer. */
  status: number | null;
  first_attempt_at: Date;
  /** When the endpoint last took anything; null if never. */
  last_success_at: Date | null;
}

/** What follows a failed try: another after some seconds, no more for this message, or none at all to this endpoint. */
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
