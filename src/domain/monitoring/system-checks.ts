import { ageText, countText } from '../age.ts';
import { type BackupFacts, backupCheck } from './backup-check.ts';
import { type Check, checkOf } from './check.ts';
import { type EmailFacts, emailCheck } from './email-check.ts';
import {
  type Certificate,
  type ClockFacts,
  certificateCheck,
  clockCheck,
  type DatabaseFacts,
  type DiskFacts,
  databaseCheck,
  diskCheck,
} from './machine-checks.ts';
import { disputesCheck, type PaymentFacts, paymentsCheck, webhooksCheck } from './payment-checks.ts';

/** What is known about each part when System is opened. */
export interface SystemFacts {
  database: DatabaseFacts;
  payments: PaymentFacts;
  /** The newest disputed payment that staff have not dealt with. */
  disputed_at: Date | null;
  email: EmailFacts;
  backup: BackupFacts;
  /** Null if the operating system does not say. */
  disk: DiskFacts | null;
  /** Null if the public URL is not https. */
  certificate: Certificate | 'unseen' | null;
  time_zone: string;
  clock: ClockFacts;
  leftovers: { events: number; emails: number; refunds: number; notices: number };
  version: {
    version: string;
    /** The newest release, if it is newer than this one. */
    newer: string | null;
    node: string;
    started_at: Date;
  };
  /** Calls of this process to HEARTBEAT_URL; null without one. */
  heartbeat: { called_at: Date | null; failed_at: Date | null } | null;
}

/** The rows of System (docs/rules/pages.md, "The system page"). */
export function systemChecks(facts: SystemFacts, now: Date): Check[] {
  const { certificate, heartbeat } = facts;
  const checks = [
    databaseCheck(facts.database),
    paymentsCheck(facts.payments, now),
    webhooksCheck(facts.payments, now),
    disputesCheck(facts.disputed_at, now),
    emailCheck(facts.email, now),
    backupCheck(facts.backup, now),
    diskCheck(facts.disk),
    certificate && certificateCheck(certificate, facts.time_zone, now),
    clockCheck(facts.clock),
    leftoversCheck(facts.leftovers),
    versionCheck(facts.version, now),
  ].filter((it) => it !== null);
  return heartbeat ? [...checks, heartbeatCheck(heartbeat, isSystemWell(checks), now)] : checks;
}

/** Whether the heartbeat is sent: nothing is wrong but what is emailed once. */
export const isSystemWell = (checks: Check[]): boolean =>
  checks.every(({ alert }) => alert === null || alert.once);

function leftoversCheck({ events, emails, refunds, notices }: SystemFacts['leftovers']): Check {
  const leftovers = [
    events > 0 && countText(events, 'message from Stripe', 'messages from Stripe'),
    emails > 0 && countText(emails, 'email'),
    refunds > 0 && countText(refunds, 'refund'),
    notices > 0 && countText(notices, 'notice for staff', 'notices for staff'),
  ].filter((it) => it !== false);
  const next = [
    events + emails + refunds > 0 && 'What failed is retried automatically.',
    notices > 0 && 'Notices are under Needs Attention, with what to do about each.',
  ].filter((it) => it !== false);
  return checkOf('Unfinished', { text: 'Nothing pending.', facts: ['Counted just now'] }, [
    {
      health: leftovers.length > 0 ? 'attention' : 'well',
      text: `Not done yet: ${leftovers.join(', ')}.`,
      next: next.join(' '),
    },
  ]);
}

function versionCheck({ version, newer, node, started_at }: SystemFacts['version'], now: Date): Check {
  return {
    name: 'Version',
    health: null,
    text: `Cellar Door ${version} on Node ${node.replace(/^v/, '')}.${newer ? ` Version ${newer} is there.` : ''}`,
    next: newer && 'Update when the bar is closed (docs/run/upgrade.md): a backup is made first.',
    facts: [`Started ${ageText(started_at, now)}`],
    alert: null,
  };
}

function heartbeatCheck(
  { called_at, failed_at }: NonNullable<SystemFacts['heartbeat']>,
  isCalled: boolean,
  now: Date,
): Check {
  return checkOf(
    'Heartbeat',
    {
      text: isCalled
        ? 'The monitor is called every five minutes.'
        : 'The monitor is not called while something is wrong.',
      facts: [`Last called: ${called_at ? ageText(called_at, now) : 'not since the server started'}`],
    },
    [
      {
        health: failed_at ? 'attention' : 'well',
        text: 'The monitor does not take the calls.',
        next: 'Check HEARTBEAT_URL, and whether the monitor still exists.',
      },
    ],
  );
}
