/** Filters and orders of the list of members: docs/rules/members.md, "The list of members". */

import type { DuesState } from '../membership/dues.ts';
import { STANDINGS } from '../standing.ts';

/** A standing for staff: 'venue' and 'inactive', and those of a card subscription. */
export const LISTED_STANDINGS = ['venue', ...STANDINGS, 'inactive'] as const;

export const PAYMENT_WAYS = ['card', 'venue'] as const;

/** States of dues that the list can show alone. */
export const LISTED_DUES = ['due', 'overdue', 'not_counted'] as const satisfies readonly DuesState[];
export type ListedDues = (typeof LISTED_DUES)[number];

export const MEMBER_ORDERS = ['name', 'joined', 'visited'] as const;
export type MemberOrder = (typeof MEMBER_ORDERS)[number];

export const DIRECTIONS = ['asc', 'desc'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** 'within': the last visit was in the last `days` days. 'over': it was earlier. 'never': no glass was ever poured. */
export const LAST_VISITS = {
  'within-7': { kind: 'within', days: 7 },
  'within-30': { kind: 'within', days: 30 },
  'over-21': { kind: 'over', days: 21 },
  'over-60': { kind: 'over', days: 60 },
  'over-180': { kind: 'over', days: 180 },
  never: { kind: 'never' },
} as const satisfies Record<string, { kind: 'within' | 'over'; days: number } | { kind: 'never' }>;
export type LastVisit = keyof typeof LAST_VISITS;
export const LAST_VISIT_NAMES = Object.keys(LAST_VISITS) as LastVisit[];

/** Default sort: names A to Z, dates newest first. */
export const naturalDirection = (order: MemberOrder): Direction => (order === 'name' ? 'asc' : 'desc');
