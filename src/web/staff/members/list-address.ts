import type { MemberFilter } from '../../../contract/staff/directory.ts';
import {
  DIRECTIONS,
  type Direction,
  LAST_VISIT_NAMES,
  LISTED_DUES,
  LISTED_STANDINGS,
  MEMBER_ORDERS,
  type MemberOrder,
  PAYMENT_WAYS,
} from '../../../domain/staff/member-filter.ts';
import { isUuid } from '../../../domain/uuid.ts';

/** The parameters in the list's URL. The search text is in its fragment instead. */
export interface ListAddress extends Omit<MemberFilter, 'search'> {
  order?: MemberOrder | undefined;
  direction?: Direction | undefined;
}

const oneOf = <Value extends string>(values: readonly Value[], text: unknown) =>
  values.find((value) => value === text);
const day = (text: unknown) =>
  typeof text === 'string' && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;

/** The parameters of a URL. Invalid ones are undefined, which hides them from the router too. */
export function readListAddress(search: Record<string, unknown>): ListAddress {
  const { tier, tag } = search;
  return {
    tag: typeof tag === 'string' && isUuid(tag) ? tag : undefined,
    tier: typeof tier === 'string' && tier.length <= 100 ? tier : undefined,
    standing: oneOf(LISTED_STANDINGS, search.standing),
    payment: oneOf(PAYMENT_WAYS, search.payment),
    dues: oneOf(LISTED_DUES, search.dues),
    visited: oneOf(LAST_VISIT_NAMES, search.visited),
    joined_from: day(search.joined_from),
    joined_to: day(search.joined_to),
    order: oneOf(MEMBER_ORDERS, search.order),
    direction: oneOf(DIRECTIONS, search.direction),
  };
}

export function filterOf({ order: _, direction: __, ...filter }: ListAddress): ListAddress {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

export const withoutFilter = ({ order, direction }: ListAddress): ListAddress => ({
  ...(order && { order }),
  ...(direction && { direction }),
});
