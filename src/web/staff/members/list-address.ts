import type { MemberFilter } from '../../../contract/staff/directory.ts';
import {
  DIRECTIONS,
  type Direction,
  LAST_VISIT_NAMES,
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

const oneOf = <Value extends string>(values: readonly Value[], given: unknown) =>
  values.find((value) => value === given);
const day = (given: unknown) =>
  typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given) && !Number.isNaN(Date.parse(given))
    ? given
    : undefined;

/** The parameters of a URL. Invalid ones are undefined, which hides them from the router too. */
export function readListAddress(given: Record<string, unknown>): ListAddress {
  const { tier, tag } = given;
  return {
    tag: typeof tag === 'string' && isUuid(tag) ? tag : undefined,
    tier: typeof tier === 'string' && tier.length <= 100 ? tier : undefined,
    standing: oneOf(LISTED_STANDINGS, given.standing),
    payment: oneOf(PAYMENT_WAYS, given.payment),
    visited: oneOf(LAST_VISIT_NAMES, given.visited),
    joined_from: day(given.joined_from),
    joined_to: day(given.joined_to),
    order: oneOf(MEMBER_ORDERS, given.order),
    direction: oneOf(DIRECTIONS, given.direction),
  };
}

export function filterOf({ order: _, direction: __, ...filter }: ListAddress): ListAddress {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

export const withoutFilter = ({ order, direction }: ListAddress): ListAddress => ({
  ...(order && { order }),
  ...(direction && { direction }),
});
