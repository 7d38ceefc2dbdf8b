import { ageText, countText } from '../age.ts';
import { age, beyond, type Check, checkOf, HOUR, MINUTE } from './check.ts';

const EMAIL_WAITS_MS = { attention: 15 * MINUTE, failing: null };
/** Emails are stuck if one has waited for this long and none was sent in that time. */
const EMAIL_STUCK_MS = HOUR;
/** Delivery is stuck if emails have been due for this long and nothing has been delivered in that time. */
const DELIVERY_STUCK_MS = 10 * MINUTE;

export interface EmailFacts {
  /** False without a mail server: nothing is ever sent. */
  sends: boolean;
  /** The address that emails come from, with a name if the configuration gives one. */
  from: string;
  /** False while that is an address that no club can have. */
  own_address: boolean;
  waiting: number;
  /** Emails that were tried at least once. */
  retrying: number;
  oldest_at: Date | null;
  sent_at: Date | null;
}

/** The names that RFC 2606 and 6761 reserve: an address there is a placeholder, and receives nothing. */
const RESERVED_HOST = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/i;

/** Whether an email address, or 'Name <address>', can belong to a club: it is on no reserved domain. */
export const isOwnAddress = (from: string): boolean =>
  !RESERVED_HOST.test(from.trim().replace(/>$/, '').split('@').at(-1) ?? '');

/** One email that is refused again and again does not mean that none goes out. */
export function emailCheck(facts: EmailFacts, now: Date): Check {
  const { sends, from, own_address, waiting, retrying, oldest_at } = facts;
  const waits = age(now, oldest_at);
  const silence = age(now, facts.sent_at) ?? Number.POSITIVE_INFINITY;
  const isStuck = waits !== null && Math.min(waits, silence) >= EMAIL_STUCK_MS;
  const waitingText = `${countText(waiting, 'email')} ${waiting === 1 ? 'waits' : 'wait'}`;
  return checkOf(
    'Email',
    {
      text:
        waiting === 0
          ? 'All emails are sent.'
          : `${waitingText} to be sent${retrying > 0 ? `, ${retrying} after a failed attempt` : ''}.`,
      facts: [
        ...(sends ? [`Sent from ${from}`] : []),
        ...(oldest_at ? [`Oldest: written ${ageText(oldest_at, now)}`] : []),
      ],
    },
    sends
      ? [
          {
            health: isStuck ? 'failing' : beyond(waits, EMAIL_WAITS_MS),
            next: 'Check the mail server; the log says why it accepts no emails (“email not sent”). They go out automatically once it works again.',
            alert: isStuck && { cause: 'outbox', subject: 'Emails were not going out', since: oldest_at },
          },
          {
            health: own_address ? 'well' : 'attention',
            text: `Emails come from ${from}, a placeholder.`,
            next: 'Enter the club’s own support email under Settings, Club, or set MAIL_FROM.',
          },
        ]
      : [
          {
            health: 'attention',
            text: `No mail server is set up: ${waiting === 0 ? 'emails would wait' : waitingText}.`,
            next: 'Set SMTP_URL to your mail server and restart. Waiting emails then go out.',
          },
        ],
  );
}

/** Whether no process delivers emails. An unreachable mail server or many emails do not count: delivery is tried. */
export function isDeliveryStuck(facts: { due_at: Date | null; delivered_at: Date }, now: Date): boolean {
  const delay = age(now, facts.due_at) ?? 0;
  return delay > DELIVERY_STUCK_MS && now.getTime() - facts.delivered_at.getTime() > DELIVERY_STUCK_MS;
}
