import type { AuditFilter } from '../../../contract/staff/audit.ts';
import { isUuid } from '../../../domain/uuid.ts';

/** Whether the text is a day, YYYY-MM-DD. Rejects February 31, which browsers turn into March 3. */
export function isDay(text: string): boolean {
  const day = /^2\d{3}-\d\d-\d\d$/.test(text) ? new Date(text) : new Date(Number.NaN);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/**
 * The filter in the URL, without anything invalid, except that the page, which has the list, drops an unknown act.
 * `validateSearch` of the route.
 */
export function readAuditSearch(search: Record<string, unknown>): AuditFilter {
  const take = (name: string, fits: (text: string) => boolean) => {
    const value = search[name];
    return typeof value === 'string' && fits(value) ? { [name]: value } : {};
  };
  return {
    ...take('who', (text) => text === 'command_line' || text === 'automatic' || isUuid(text)),
    ...take('what', (text) => /^[a-z_]{1,50}$/.test(text)),
    ...take('whom', isUuid),
    ...take('from', isDay),
    ...take('to', isDay),
  };
}
