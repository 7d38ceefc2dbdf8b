const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const counted = (amount: number, unit: string) => `${amount} ${unit}${amount === 1 ? '' : 's'}`;

/** Milliseconds -> 'less than a minute', '12 minutes', '3 hours', '2 days'; rounded down. */
export function durationText(ms: number): string {
  if (ms < MINUTE) return 'less than a minute';
  if (ms < HOUR) return counted(Math.floor(ms / MINUTE), 'minute');
  if (ms < DAY) return counted(Math.floor(ms / HOUR), 'hour');
  return counted(Math.floor(ms / DAY), 'day');
}

/** How long before `now` the instant was: 'just now', '12 minutes ago'. Both in ISO 8601. */
export function ageText(instant: string, now: string): string {
  const ms = Date.parse(now) - Date.parse(instant);
  return ms < MINUTE ? 'just now' : `${durationText(ms)} ago`;
}

/** 5368709120 -> '5.0 GB'; megabytes below one gigabyte. */
export function bytesText(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3;
  if (gigabytes < 1) return `${Math.floor(bytes / 1024 ** 2)} MB`;
  return `${gigabytes < 10 ? gigabytes.toFixed(1) : Math.floor(gigabytes)} GB`;
}
