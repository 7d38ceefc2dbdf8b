/** Currencies whose amounts have no decimals (docs.stripe.com/currencies). */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '));

/** `4500, 'usd'` as "$45.00", `4500, 'jpy'` as "¥4,500". */
export function money(amount: number, currency: string): string {
  const digits = WHOLE.has(currency) ? 0 : 2;
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits);
}

/** "month", "3 months": how often a price is charged. */
export function every(interval: { interval: string; interval_count: number }): string {
  return interval.interval_count === 1
    ? interval.interval
    : `${interval.interval_count} ${interval.interval}s`;
}

/** "21 Nov 2026", in UTC as all billing dates. */
export function day(seconds: number): string {
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(seconds * 1000);
}
