import { addDays, addMonths, type LocalDate, localDate, startOfDay } from './calendar.ts';

/** Days from the email until the account is deleted. */
export const RETENTION_NOTICE_DAYS = 30;
/** An email this old has named a day long past: another one is due before anything is deleted. */
const NOTICE_HOLDS_DAYS = 60;

/** What is known of the use of an account without a membership. */
export interface AccountUse {
  created_at: Date;
  /** The last sign-in, or later use of a session; null if none is recorded. */
  last_used_at: Date | null;
  /** The day on which the last membership ended, its own or a shared one; null if there was none. */
  membership_ended_on: LocalDate | null;
  /** When the last email about the deletion was written; null if never. */
  noticed_at: Date | null;
}

export type RetentionStep = 'keep' | 'notify' | 'erase';

/** What to do with an unused account; `months`: the club's setting, 0 for never. docs/rules/accounts.md, "Personal data" */
export function retentionStep(
  use: AccountUse,
  { months, now, timeZone }: { months: number; now: Date; timeZone: string },
): RetentionStep {
  if (months === 0) return 'keep';
  const end = use.membership_ended_on && startOfDay(use.membership_ended_on, timeZone);
  const dates = [use.created_at, use.last_used_at, end].filter((it) => it instanceof Date);
  const since = new Date(Math.max(...dates.map((it) => it.getTime())));
  const today = localDate(now, timeZone);
  const due = addMonths(localDate(since, timeZone), months);
  if (today < due) return 'keep';
  if (!use.noticed_at || use.noticed_at <= since) return 'notify';
  const noticeDay = localDate(use.noticed_at, timeZone);
  // The club has since chosen a longer time, or the day in the email has long passed.
  if (noticeDay < due || today > addDays(noticeDay, NOTICE_HOLDS_DAYS)) return 'notify';
  return today < addDays(noticeDay, RETENTION_NOTICE_DAYS) ? 'keep' : 'erase';
}

/** The first instant of the day on which an account is deleted after an email written at `noticedAt`. */
export const deletionDay = (noticedAt: Date, timeZone: string): Date =>
  startOfDay(addDays(localDate(noticedAt, timeZone), RETENTION_NOTICE_DAYS), timeZone);
