import type { SystemStatus } from '../../../contract/system.ts';
import {
  CLOCK_OFF_MS,
  EMBEDDED_MEMBERS,
  EVENT_OPEN_MS,
  type Health,
  isOutgrown,
  isSystemWell,
  SWEEP_LATE_MS,
} from '../../../domain/monitoring/system-status.ts';
import { ageText, bytesText, durationText } from '../../format/age.ts';
import { dateOfInstant } from '../venue-dates.ts';

export interface Check {
  name: string;
  /** Null for information without a health. */
  health: Health | null;
  text: string;
  next: string | null;
  /** The evidence, with its age: 'Last message from Stripe: 3 minutes ago'. */
  facts: string[];
}

type Part = Omit<Check, 'name' | 'health'>;
type Words<Name extends keyof SystemStatus> = (it: SystemStatus[Name], at: string) => Part;

const counted = (amount: number, one: string, many = `${one}s`) => `${amount} ${amount === 1 ? one : many}`;
const thousands = (amount: number) => amount.toLocaleString('en-US');
const EMBEDDED_TEXT = thousands(EMBEDDED_MEMBERS);
const memberCount = (members: number) => `${thousands(members)} ${members === 1 ? 'member' : 'members'}`;
const isOlder = (instant: string | null, at: string, ms: number) =>
  instant !== null && Date.parse(at) - Date.parse(instant) >= ms;

const database: Words<'database'> = ({ health, kind, own_version, answered_ms, members }) => ({
  text: own_version
    ? `${kind === 'postgres' ? 'Postgres' : 'The embedded database'} answers in ${answered_ms} ms.`
    : 'The database is from another version.',
  next: !own_version
    ? 'A newer version has upgraded the database. Stop this server and start the newer version.'
    : health === 'well'
      ? null
      : isOutgrown({ kind, members })
        ? `The club has outgrown the embedded database, which is meant for up to ${EMBEDDED_TEXT} members. The command cellar-door move-to-postgres moves it to a Postgres server.`
        : 'It is slow. Check what else runs on its machine, and its disk.',
  facts: [
    'Asked just now',
    kind === 'embedded'
      ? `Holds ${memberCount(members)}, former ones included, of up to ${EMBEDDED_TEXT}`
      : `Holds ${memberCount(members)}, former ones included`,
  ],
});

const MODES = {
  live: 'Payments are live.',
  test: 'Payments are in Stripe’s test mode: no real money moves.',
  demo: 'Payments are a demo: no real money moves.',
  off: 'Payments are off: members pay at the venue. To turn them on, see Settings, Stripe.',
};

const payments: Words<'payments'> = ({ health, mode, ...seen }, at) => {
  const next = () => {
    if (isOlder(seen.oldest_open_event_at, at, EVENT_OPEN_MS.attention)) {
      return 'A message from Stripe could not be processed. The server tries again every minute; the log says why (“Webhook event could not be processed”).';
    }
    if (seen.unanswered_since !== null) {
      return `Stripe stopped answering ${ageText(seen.unanswered_since, at)}. Check the key under Settings, Stripe, and status.stripe.com. The server tries again by itself.`;
    }
    if (seen.last_sweep_at === null || isOlder(seen.last_sweep_at, at, SWEEP_LATE_MS.attention)) {
      return `The server is not ${mode === 'off' ? 'ending memberships that are due' : 'checking with Stripe every minute'}, as it should. Look for “billing sweep failed” in the log; if there is nothing, restart the server.`;
    }
    return 'Members pay by card, but Stripe sends no messages. Run “cellar-door stripe check” on the server: it names what is wrong.';
  };
  const event = seen.last_event_at ? ageText(seen.last_event_at, at) : 'none yet';
  const answer = seen.answered_at ? ageText(seen.answered_at, at) : 'none since the server started';
  return {
    text: MODES[mode],
    next: health === 'well' ? null : next(),
    facts: mode === 'off' ? [] : [`Last message from Stripe: ${event}`, `Last answer from Stripe: ${answer}`],
  };
};

const email: Words<'email'> = ({ health, sends, from, own_address, waiting, retrying, oldest_at }, at) => ({
  text: !sends
    ? `No mail server is set up: ${waiting === 0 ? 'emails would wait' : `${counted(waiting, 'email')} ${waiting === 1 ? 'waits' : 'wait'}`}.`
    : waiting === 0
      ? 'All emails are sent.'
      : `${counted(waiting, 'email')} ${waiting === 1 ? 'waits' : 'wait'} to be sent${retrying > 0 ? `, ${retrying} after a failed attempt` : ''}.`,
  next: !sends
    ? 'Set SMTP_URL to your mail server and restart. Waiting emails then go out.'
    : health === 'well'
      ? null
      : !own_address && waiting === 0
        ? `Emails come from ${from}, a placeholder: enter the club’s own support email under Settings, Club, or set MAIL_FROM.`
        : 'Check the mail server; the log says why it accepts no emails (“email not sent”). They go out automatically once it works again.',
  facts: [
    ...(sends ? [`Sent from ${from}`] : []),
    ...(oldest_at ? [`Oldest: written ${ageText(oldest_at, at)}`] : []),
  ],
});

const backup: Words<'backup'> = (seen, at) =>
  seen.made_here ? ownBackup(seen, at) : outsideBackup(seen, at);

const lastBackup = (last_at: string, at: string) => `The last backup was made ${ageText(last_at, at)}.`;
const NO_BACKUPS_OF_DEMO = 'The demo makes no backups: it can be made again at any time.';

const ownBackup: Words<'backup'> = ({ health, plan, last_at, failed_at, copy_failed_at, copied }, at) => ({
  text: last_at
    ? lastBackup(last_at, at)
    : plan === 'demo'
      ? NO_BACKUPS_OF_DEMO
      : health === 'well'
        ? 'The first backup comes within minutes of the first start.'
        : 'There is no backup yet.',
  next:
    health === 'well'
      ? null
      : failed_at
        ? 'Look in the log for why the last one failed (“daily backup failed”). It is tried again every hour.'
        : copy_failed_at
          ? 'Its copy in the second folder failed: check that the disk of BACKUP_COPY_DIR is there and has room. It is tried again every hour.'
          : 'Make one with cellar-door backup, and check whether BACKUP_KEEP_DAYS turns off the daily one.',
  facts: failed_at
    ? [`Last try failed ${ageText(failed_at, at)}`]
    : copy_failed_at
      ? [`Last copy failed ${ageText(copy_failed_at, at)}`]
      : copied && last_at
        ? ['Copied into the second folder']
        : [],
});

const outsideBackup: Words<'backup'> = ({ health, watched, plan, last_at }, at) =>
  watched
    ? {
        text: last_at
          ? lastBackup(last_at, at)
          : plan === 'demo'
            ? NO_BACKUPS_OF_DEMO
            : 'No complete backup is in its folder yet.',
        next:
          health === 'well'
            ? null
            : 'Check what makes the dumps, whether its disk has room, and whether this server can read BACKUP_DIR.',
        facts: last_at ? ['Made outside'] : [],
      }
    : {
        text: 'Backups are made outside, where this page cannot see them.',
        next: 'Name their folder in BACKUP_DIR to be warned when one is missing (docs/run/back-up.md, “A Postgres server”).',
        facts: [],
      };

const disk: Words<'disk'> = ({ health, free_bytes, total_bytes }) => ({
  text:
    free_bytes === null || total_bytes === null
      ? 'The server cannot tell how much space is left.'
      : `${bytesText(free_bytes)} of ${bytesText(total_bytes)} are free.`,
  next:
    health === 'attention' || health === 'failing'
      ? 'Free up space or get a larger disk: once it is full, no pours can be recorded.'
      : null,
  facts: free_bytes === null ? [] : ['Read just now'],
});

const certificate = ({ health, ends_at }: NonNullable<SystemStatus['certificate']>): Part => ({
  text: ends_at
    ? `It ${health === 'failing' ? 'ended' : 'ends'} on ${dateOfInstant(ends_at)}.`
    : 'The server cannot see the certificate at its own address.',
  next:
    health === 'attention' || health === 'failing'
      ? 'Check why the proxy, or the company that runs it, does not renew it.'
      : null,
  facts: ends_at ? ['Looked at once a day'] : [],
});

const heartbeat = (
  { called_at, failed_at }: NonNullable<SystemStatus['heartbeat']>,
  { at, alerts }: SystemStatus,
): Part => ({
  text: failed_at
    ? 'The monitor does not take the calls.'
    : isSystemWell(alerts)
      ? 'The monitor is called every five minutes.'
      : 'The monitor is not called while something is wrong.',
  next: failed_at ? 'Check HEARTBEAT_URL, and whether the monitor still exists.' : null,
  facts: [`Last called: ${called_at ? ageText(called_at, at) : 'not since the server started'}`],
});

/** A device's clock is compared through answers that take a moment, so that less than this is nothing. */
const DEVICE_OFF_MS = 60_000;

const isDeviceOff = (device_skew_ms: number) => Math.abs(device_skew_ms) >= DEVICE_OFF_MS;

const clock = (
  { health, database_skew_ms, stripe_skew_ms }: SystemStatus['clock'],
  device_skew_ms: number,
  kind: SystemStatus['database']['kind'],
): Part => {
  const off = [
    { whose: 'this device’s', ms: isDeviceOff(device_skew_ms) ? device_skew_ms : null },
    { whose: 'the database’s', ms: database_skew_ms },
    { whose: 'Stripe’s', ms: stripe_skew_ms },
  ].filter(({ ms }) => ms !== null && Math.abs(ms) >= CLOCK_OFF_MS.attention);
  const differences = off.map(({ whose, ms }) => {
    const seconds = Math.round(Math.abs(ms ?? 0) / 1000);
    return `${seconds < 120 ? counted(seconds, 'second') : durationText(seconds * 1000)} from ${whose}`;
  });
  const others = [
    'this device',
    ...(kind === 'postgres' ? ['the database'] : []),
    ...(stripe_skew_ms === null ? [] : ['Stripe']),
  ];
  const agreed = others.length === 1 ? 'this device’s' : `those of ${others.join(' and ')}`;
  return {
    text:
      differences.length > 0
        ? `The server’s clock differs by ${differences.join(' and ')}.`
        : `The server’s clock agrees with ${agreed}.`,
    next:
      health === 'well'
        ? isDeviceOff(device_skew_ms)
          ? 'One of the two is wrong: look at a clock you trust. If it is the server’s, turn on time synchronization there (timedatectl set-ntp true).'
          : null
        : 'Turn on time synchronization on the server. A clock that is 30 seconds off refuses sign-in codes; five minutes off, it refuses Stripe’s messages too.',
    facts: ['Compared just now'],
  };
};

const leftovers: Words<'leftovers'> = ({ events, emails, refunds, notices }) => {
  const left = [
    events > 0 && counted(events, 'message from Stripe', 'messages from Stripe'),
    emails > 0 && counted(emails, 'email'),
    refunds > 0 && counted(refunds, 'refund'),
    notices > 0 && counted(notices, 'notice for staff', 'notices for staff'),
  ].filter((it) => it !== false);
  const retried = events + emails + refunds > 0;
  return {
    text: left.length === 0 ? 'Nothing pending.' : `Not done yet: ${left.join(', ')}.`,
    next:
      [
        retried && 'What failed is retried automatically.',
        notices > 0 && 'Notices are under Needs Attention, with what to do about each.',
      ]
        .filter((it) => it !== false)
        .join(' ') || null,
    facts: ['Counted just now'],
  };
};

const version: Words<'version'> = ({ version: name, newer, node, started_at }, at) => ({
  text: `Cellar Door ${name} on Node ${node.replace(/^v/, '')}.${newer ? ` Version ${newer} is there.` : ''}`,
  next: newer && 'Update when the bar is closed (docs/run/upgrade.md): a backup is made first.',
  facts: [`Started ${ageText(started_at, at)}`],
});

const ORDER: Health[] = ['failing', 'attention', 'unknown', 'well'];

/** `device_skew_ms`: how far the server's clock is ahead of this device's. */
export function checksOf(status: SystemStatus, device_skew_ms = 0): Check[] {
  const { at } = status;
  const checks: Check[] = [
    { name: 'Database', health: status.database.health, ...database(status.database, at) },
    { name: 'Payments', health: status.payments.health, ...payments(status.payments, at) },
    { name: 'Email', health: status.email.health, ...email(status.email, at) },
    { name: 'Backup', health: status.backup.health, ...backup(status.backup, at) },
    { name: 'Disk', health: status.disk.health, ...disk(status.disk, at) },
    ...(status.certificate
      ? [{ name: 'Certificate', health: status.certificate.health, ...certificate(status.certificate) }]
      : []),
    ...(status.heartbeat
      ? [{ name: 'Heartbeat', health: status.heartbeat.health, ...heartbeat(status.heartbeat, status) }]
      : []),
    {
      name: 'Clock',
      health:
        status.clock.health === 'well' && isDeviceOff(device_skew_ms) ? 'attention' : status.clock.health,
      ...clock(status.clock, device_skew_ms, status.database.kind),
    },
    { name: 'Unfinished', health: status.leftovers.health, ...leftovers(status.leftovers, at) },
    { name: 'Version', health: null, ...version(status.version, at) },
  ];
  const place = ({ health }: Check) => (health === null ? ORDER.length : ORDER.indexOf(health));
  return checks.sort((a, b) => place(a) - place(b));
}
