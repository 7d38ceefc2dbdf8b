export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const MB = 1024 ** 2;

/** attention: look at it today. failing: look at it now. unknown: nothing is known yet. */
export const HEALTHS = ['well', 'attention', 'failing', 'unknown'] as const;
export type Health = (typeof HEALTHS)[number];

const RANK: Record<Health, number> = { well: 0, unknown: 1, attention: 2, failing: 3 };

/** A row of System, and a line of `cellar-door doctor`. */
export interface CheckRow {
  name: string;
  /** Null for information without a health. */
  health: Health | null;
  text: string;
  /** Never null while the row is in trouble. */
  next: string | null;
  /** The evidence, with its age: 'Last message from Stripe: 3 minutes ago'. */
  facts: string[];
}

/** An email to the owners: docs/run/watch.md, "Emails about problems". */
export interface Alert {
  /** Tells alerts apart in the database, so it never changes. */
  cause: string;
  subject: string;
  /** When it began; null if unknown. */
  since: Date | null;
  /** Emailed once. The heartbeat is still sent, because nothing in the system is broken. */
  once?: true;
}

export interface Check extends CheckRow {
  /** Null if there is nothing to email about. */
  alert: Alert | null;
}

/** What may be wrong, with the health that results; 'well' if it is not. */
interface Problem {
  health: Health;
  /** Replaces the text of a healthy row. */
  text?: string;
  next: string;
  alert?: Alert | false;
}

/** The row about the worst of its problems, the first of several as bad; `text` and `facts` are those without a problem. */
export function checkOf(
  name: string,
  { text, facts }: Pick<CheckRow, 'text' | 'facts'>,
  problems: Problem[],
): Check {
  const worst = problems.reduce<Problem | null>(
    (a, b) => (RANK[b.health] > RANK[a?.health ?? 'well'] ? b : a),
    null,
  );
  if (!worst) return { name, health: 'well', text, next: null, facts, alert: null };
  return {
    name,
    health: worst.health,
    text: worst.text ?? text,
    next: worst.next,
    facts,
    alert: worst.alert || null,
  };
}

/** A row about which nothing is known yet. */
export const unknownCheck = (name: string, text: string, next: string | null = null): Check => ({
  name,
  health: 'unknown',
  text,
  next,
  facts: [],
  alert: null,
});

export const isInTrouble = ({ health }: Pick<CheckRow, 'health'>): boolean =>
  health === 'attention' || health === 'failing';

/** Failing first, then what needs attention, what is unknown, what is well, and information. */
export const worstFirst = <Row extends Pick<CheckRow, 'health'>>(rows: Row[]): Row[] => {
  const place = ({ health }: Row) => (health === null ? -1 : RANK[health]);
  return [...rows].sort((a, b) => place(b) - place(a));
};

/** From which amount, such as milliseconds, something needs attention, and from which it fails; null for never. */
interface Limits {
  attention: number;
  failing: number | null;
}

export function beyond(amount: number | null, { attention, failing }: Limits): Health {
  if (amount === null) return 'well';
  if (failing !== null && amount >= failing) return 'failing';
  return amount >= attention ? 'attention' : 'well';
}

/** Milliseconds from an instant to `now`. */
export const age = (now: Date, since: Date | null): number | null => since && now.getTime() - since.getTime();
