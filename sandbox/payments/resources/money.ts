/** `4500, 'usd'` as "$45.00". Assumes a currency with two decimals. */
export function money(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: currency.toUpperCase() }).format(
    amount / 100,
  );
}

/** "month", "3 months": how often a price is charged. */
export function every(recurring: { interval: string; interval_count: number }): string {
  return recurring.interval_count === 1
    ? recurring.interval
    : `${recurring.interval_count} ${recurring.interval}s`;
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
