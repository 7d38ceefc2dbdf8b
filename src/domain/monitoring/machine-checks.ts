import { countText, durationText } from '../age.ts';
import { localDate } from '../calendar.ts';
import { beyond, type Check, checkOf, DAY, type Health, MB, SECOND, unknownCheck } from './check.ts';

const DATABASE_SLOW_MS = { attention: SECOND, failing: 4 * SECOND };
/** Authenticator apps tolerate 30 seconds, signatures of webhooks five minutes. */
const CLOCK_OFF_MS = { attention: 5 * SECOND, failing: 60 * SECOND };
const DISK_FREE_BYTES = { attention: 1024 * MB, failing: 256 * MB };
/** How long before its end a certificate needs attention, unless a quarter of its life is shorter. */
const CERTIFICATE_ENDS_MS = 14 * DAY;

/**
 * The embedded database is meant for at most this many members, former ones included: the largest club in which its memory
 * was measured (docs/performance.md, "Memory"), ten times a venue of docs/run/grow.md.
 */
export const EMBEDDED_MEMBERS = 5_000;
const EMBEDDED_TEXT = EMBEDDED_MEMBERS.toLocaleString('en-US');

export interface DatabaseFacts {
  kind: 'embedded' | 'postgres';
  /** Former ones included. */
  members: number;
  answered_ms: number;
  /** False if the tables belong to another version. */
  own_version: boolean;
}

/** Whether the club is larger than its database is meant for. */
export const isOutgrown = ({ kind, members }: Pick<DatabaseFacts, 'kind' | 'members'>): boolean =>
  kind === 'embedded' && members > EMBEDDED_MEMBERS;

export function databaseCheck(facts: DatabaseFacts): Check {
  const { kind, members, answered_ms, own_version } = facts;
  const size = `Holds ${countText(members, 'member')}, former ones included`;
  return checkOf(
    'Database',
    {
      text: `${kind === 'postgres' ? 'Postgres' : 'The embedded database'} answers in ${answered_ms} ms.`,
      facts: ['Asked just now', kind === 'embedded' ? `${size}, of up to ${EMBEDDED_TEXT}` : size],
    },
    [
      {
        health: own_version ? 'well' : 'failing',
        text: 'The database is from another version.',
        next: 'A newer version has upgraded the database. Stop this server and start the newer version.',
      },
      {
        health: isOutgrown(facts) ? 'attention' : 'well',
        next: `The club has outgrown the embedded database, which is meant for up to ${EMBEDDED_TEXT} members. The command cellar-door move-to-postgres moves it to a Postgres server.`,
      },
      {
        health: beyond(answered_ms, DATABASE_SLOW_MS),
        next: 'It is slow. Check what else runs on its machine, and its disk.',
      },
    ],
  );
}

/** 5368709120 -> '5.0 GB'; megabytes below one gigabyte. */
function bytesText(bytes: number): string {
  const gigabytes = bytes / 1024 ** 3;
  if (gigabytes < 1) return `${Math.floor(bytes / MB)} MB`;
  return `${gigabytes < 10 ? gigabytes.toFixed(1) : Math.floor(gigabytes)} GB`;
}

function diskHealth(free_bytes: number): Health {
  if (free_bytes < DISK_FREE_BYTES.failing) return 'failing';
  return free_bytes < DISK_FREE_BYTES.attention ? 'attention' : 'well';
}

/** The disk that holds the data folder. */
export interface DiskFacts {
  free_bytes: number;
  total_bytes: number;
}

/** Null if the operating system does not say. */
export function diskCheck(disk: DiskFacts | null): Check {
  if (!disk) return unknownCheck('Disk', 'The server cannot tell how much space is left.');
  const { free_bytes, total_bytes } = disk;
  return checkOf(
    'Disk',
    { text: `${bytesText(free_bytes)} of ${bytesText(total_bytes)} are free.`, facts: ['Read just now'] },
    [
      {
        health: diskHealth(free_bytes),
        next: 'Free up space or get a larger disk: once it is full, no pours can be recorded.',
        alert: { cause: 'disk', subject: 'The disk is nearly full', since: null },
      },
    ],
  );
}

/** A certificate that the server was seen with. */
export interface Certificate {
  starts_at: Date;
  ends_at: Date;
}

/** 2026-08-20 -> '8/20/2026' */
const dateText = (day: string) => day.replace(/^(\d+)-0?(\d+)-0?(\d+)$/, '$2/$3/$1');

/** The certificate at the public URL, with its end as a day in the club's time zone. */
export function certificateCheck(certificate: Certificate | 'unseen', timeZone: string, now: Date): Check {
  if (certificate === 'unseen')
    return unknownCheck('Certificate', 'The server cannot see the certificate at its own address.');
  const { starts_at, ends_at } = certificate;
  const remaining = ends_at.getTime() - now.getTime();
  const margin = Math.min(CERTIFICATE_ENDS_MS, (ends_at.getTime() - starts_at.getTime()) / 4);
  const day = dateText(localDate(ends_at, timeZone));
  const subject = remaining <= 0 ? 'Certificate has expired' : 'Certificate expires soon';
  return checkOf(
    'Certificate',
    {
      text: `The certificate ${remaining <= 0 ? 'expired' : 'expires'} on ${day}.`,
      facts: ['Looked at once a day'],
    },
    [
      {
        health: remaining <= 0 ? 'failing' : remaining <= margin ? 'attention' : 'well',
        next: 'Check why the proxy, or the company that runs it, does not renew it. With an expired one, browsers refuse to open the club’s address.',
        alert: { cause: 'certificate', subject, since: null },
      },
    ],
  );
}

/** How far another clock is ahead of the server's; negative if behind. */
interface ClockSkew {
  /** 'Stripe’s' */
  whose: string;
  ms: number;
}

/** 'The server’s clock differs by 90 seconds from Stripe’s.' */
export function clockText(skews: ClockSkew[]): string {
  const differences = skews.map(({ whose, ms }) => {
    const seconds = Math.round(Math.abs(ms) / 1000);
    return `${seconds < 120 ? countText(seconds, 'second') : durationText(seconds * 1000)} from ${whose}`;
  });
  return `The server’s clock differs by ${differences.join(' and ')}.`;
}

/** Milliseconds that other clocks are ahead of the server's; null for those that were not compared. */
export interface ClockFacts {
  database_skew_ms: number | null;
  stripe_skew_ms: number | null;
}

export function clockCheck({ database_skew_ms, stripe_skew_ms }: ClockFacts): Check {
  const clocks = [
    { name: 'the database', whose: 'the database’s', ms: database_skew_ms },
    { name: 'Stripe', whose: 'Stripe’s', ms: stripe_skew_ms },
  ].filter((it): it is typeof it & ClockSkew => it.ms !== null);
  const [first, ...rest] = clocks;
  if (!first) return unknownCheck('Clock', 'The server has no other clock to compare with.');
  const owners = rest.length === 0 ? first.whose : `those of ${clocks.map(({ name }) => name).join(' and ')}`;
  const outliers = clocks.filter(({ ms }) => beyond(Math.abs(ms), CLOCK_OFF_MS) !== 'well');
  return checkOf(
    'Clock',
    { text: `The server’s clock agrees with ${owners}.`, facts: ['Compared just now'] },
    [
      {
        health: beyond(Math.max(...clocks.map(({ ms }) => Math.abs(ms))), CLOCK_OFF_MS),
        text: clockText(outliers),
        next: 'Turn on time synchronization on the server (timedatectl set-ntp true). A clock that is 30 seconds off refuses sign-in codes; five minutes off, it refuses Stripe’s messages too.',
      },
    ],
  );
}
