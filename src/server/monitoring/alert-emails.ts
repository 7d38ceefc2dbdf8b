import type { Check } from '../../domain/monitoring/check.ts';
import { diskCheck } from '../../domain/monitoring/machine-checks.ts';
import { emails } from '../mail/email-text.ts';

const subjectOf = ({ alert, name }: Check) => alert?.subject ?? name;

/** Emails to the owners about a row of System: docs/run/watch.md, "Emails about problems". */
export const alertEmails = emails<{ system_alert: { check: Check; since: Date } }>('staff', {
  system_alert: {
    subject: ({ check }) => subjectOf(check),
    content: ({ check, since }, { page, moment }) => [
      check.text,
      { facts: [['Since', moment(since)]] },
      ...(check.next ? [check.next] : []),
      { button: 'Open System', url: page('/staff/system') },
    ],
    values: ({ check }) => ({ problem: subjectOf(check) }),
    sample: {
      check: diskCheck({ free_bytes: 800 * 1024 ** 2, total_bytes: 40 * 1024 ** 3 }),
      since: new Date('2026-06-15T12:00:00Z'),
    },
  },
});
