/** A tier's price in dollars: 39 -> '$39', 39.5 -> '$39.50' */
export function formatDollars(dollars: number): string {
  return `$${Number.isInteger(dollars) ? dollars : dollars.toFixed(2)}`;
}

/** An amount charged, in cents: 3900 -> '$39.00' */
export function formatCents(cents: number): string {
  return `$${(cents / 100).toFixed(2)}`;
}

/** 3900 -> '$39.00 per month' */
export function centsPerMonth(cents: number): string {
  return `${formatCents(cents)} per month`;
}
