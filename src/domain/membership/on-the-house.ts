import { addMonths, type LocalDate } from '../calendar.ts';

// A membership that the club gives: docs/rules/membership.md, "On the house".

/** The longest that one can be given for, in months. */
export const HOUSE_MONTHS = 24;
/** Whether a membership that begins today can be given until a day, which is the first without it. */
export const canGiveUntil = (ends_on: LocalDate, today: LocalDate): boolean =>
  ends_on > today && ends_on <= addMonths(today, HOUSE_MONTHS);
