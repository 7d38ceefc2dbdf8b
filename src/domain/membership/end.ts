/** When a membership ends that staff end: at the end of the paid period, or at once. */
export const END_TIMES = ['period_end', 'now'] as const;
export type EndTime = (typeof END_TIMES)[number];

/**
 * Why staff cannot end or keep a membership. no_membership: there is none. ending: it ends already. overdue: a
 * payment is due, so there is no paid period, and it can only end now. by_member: the member canceled it, and
 * only they can keep it. not_ending: there is nothing to take back.
 */
export const END_OBSTACLES = ['no_membership', 'ending', 'overdue', 'by_member', 'not_ending'] as const;
export type EndObstacle = (typeof END_OBSTACLES)[number];

export interface EndFacts {
  /** When it is already set to end; null if it continues. */
  ends_at: Date | null;
  /** A payment by card is due. */
  overdue: boolean;
}

/** What keeps staff from ending a membership then; null if nothing does. Facts are null without a membership. */
export function endObstacle(facts: EndFacts | null, when: EndTime): EndObstacle | null {
  if (!facts) return 'no_membership';
  if (when === 'now') return null;
  if (facts.overdue) return 'overdue';
  return facts.ends_at ? 'ending' : null;
}
