import { type Alert, age, DAY, HOUR, MINUTE } from './check.ts';

/** A problem that was not seen for this long has ended in between: servers look every five minutes. */
const ALERT_ENDED_MS = 20 * MINUTE;
const ALERTS_APART_MS = HOUR;
/** The owners are emailed again about a problem that lasts. */
const ALERT_AGAIN_MS = DAY;

/** What is stored about a cause. */
export interface KnownAlert {
  began_at: Date;
  seen_at: Date;
  /** When the owners were last emailed about this cause. */
  sent_at: Date | null;
}

/** What to store about a cause that is seen now, and whether to email the owners: at most once an hour. */
export function nextAlert(
  record: KnownAlert | null,
  { since, once }: Pick<Alert, 'since' | 'once'>,
  now: Date,
): KnownAlert & { send: boolean } {
  const goesOn =
    record !== null &&
    (once
      ? since !== null && since <= record.began_at
      : now.getTime() - record.seen_at.getTime() <= ALERT_ENDED_MS);
  const began_at = goesOn ? record.began_at : now;
  const sent_at = record?.sent_at ?? null;
  const silence = age(now, sent_at);
  const wait = sent_at === null || sent_at < began_at ? ALERTS_APART_MS : once ? null : ALERT_AGAIN_MS;
  // A negative time comes from a clock that was wrong.
  const send = wait !== null && (silence === null || silence < 0 || silence >= wait);
  return { began_at, seen_at: now, sent_at: send ? now : sent_at, send };
}
