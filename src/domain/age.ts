const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** 1 -> '1 email', 2 -> '2 emails' */
export const countText = (amount: number, singular: string, plural = `${singular}s`): string =>
  `${amount.toLocaleString('en-US')} ${amount === 1 ? singular : plural}`;

/** Milliseconds -> 'less than a minute', '12 minutes', '3 hours', '2 days'; rounded down. */
export function durationText(ms: number): string {
  if (ms < MINUTE) return 'less than a minute';
  if (ms < HOUR) return countText(Math.floor(ms / MINUTE), 'minute');
  if (ms < DAY) return countText(Math.floor(ms / HOUR), 'hour');
  return countText(Math.floor(ms / DAY), 'day');
}

/** How long before `now` the instant was: 'just now', '12 minutes ago'. */
export function ageText(instant: Date, now: Date): string {
  const ms = now.getTime() - instant.getTime();
  return ms < MINUTE ? 'just now' : `${durationText(ms)} ago`;
}
