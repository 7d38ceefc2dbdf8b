import type { AlertCause } from '../../domain/monitoring/system-status.ts';
import { emails } from '../mail/email-text.ts';

interface Said {
  subject: string;
  happened: string;
  next: string;
}

const CAUSES: Record<AlertCause, Said> = {
  backup: {
    subject: 'The daily backup is missing',
    happened: 'The daily backup, or its copy in the second folder, failed or has not been made.',
    next: 'Check that the backup’s disk is there and has room. System says what else to do.',
  },
  disk: {
    subject: 'The disk is nearly full',
    happened:
      'The disk that holds the club’s data is nearly full. Once it is full, no pours can be recorded.',
    next: 'Free up space, or get a larger disk.',
  },
  outbox: {
    subject: 'Emails were not going out',
    happened: 'Emails waited for an hour or longer, and none was sent in that time.',
    next: 'If you are reading this, email works again. The log says why it did not ("email not sent"); check the mail server.',
  },
  stripe: {
    subject: 'Stripe does not answer',
    happened:
      'The server cannot reach Stripe, or cannot process what Stripe said. Members cannot join or pay, and renewals are seen late.',
    next: 'Check status.stripe.com, and the key under Settings, Stripe. The server tries again every minute.',
  },
  webhooks: {
    subject: 'Stripe sends no messages',
    happened:
      'Members pay by card, but Stripe has sent no message about it for a long time. Payments are still found, but late.',
    next: 'Run "cellar-door stripe check" on the server: it names what is wrong.',
  },
  certificate: {
    subject: 'The certificate ends soon',
    happened:
      'The certificate of the club’s address ends soon and was not renewed. After that, browsers will refuse to open it.',
    next: 'Check why the proxy, or the company that runs it, does not renew the certificate.',
  },
  dispute: {
    subject: 'A payment is disputed',
    happened:
      'A member disputes a payment at their bank. That ends no membership, but the bank decides without you unless you answer in time.',
    next: 'Answer the dispute in Stripe. The notice on the staff dashboard says which payment it is.',
  },
};

/** Emails to the owners: docs/run/watch.md, "Emails about problems". */
export const alertEmails = emails<{ system_alert: { cause: AlertCause; since: Date } }>('staff', {
  system_alert: {
    subject: ({ cause }) => CAUSES[cause].subject,
    content: ({ cause, since }, { page, moment }) => [
      CAUSES[cause].happened,
      { facts: [['Since', moment(since)]] },
      CAUSES[cause].next,
      { button: 'Open System', url: page('/staff/system') },
    ],
    values: ({ cause }) => ({ problem: CAUSES[cause].subject }),
    sample: { cause: 'disk', since: new Date('2026-06-15T12:00:00Z') },
  },
});
