import { z } from 'zod';
import { STANDINGS } from '../domain/standing.ts';
import { application } from './applications.ts';
import { cursor, day, id, procedure, searchText, timestamp } from './base.ts';
import { refusals } from './refusals.ts';

export const profile = z.object({
  id,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  phone: z.string().nullable(),
});
export type Profile = z.infer<typeof profile>;

export const customer = z.object({
  id,
  user_id: id,
  tier: z.string(),
  status: z.string(),
  member_since: day,
  /** Derived from ledger and allowance when read (design section 4). */
  pours_balance: z.number().int(),
  total_pours_lifetime: z.number().int(),
  last_activity: timestamp.nullable(),
});
export type Customer = z.infer<typeof customer>;

/** What a staff list row shows. */
export const memberRow = z.object({
  id,
  user_id: id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  tier: z.string(),
  status: z.string(),
  member_since: day,
});
export type MemberRow = z.infer<typeof memberRow>;

/** The member who stands before staff. */
export const memberDetail = z.object({
  customer,
  profile,
  /** They deleted their account: the name stands for nobody, and there is no address. */
  former: z.boolean(),
  tier_display_name: z.string(),
  has_active_membership: z.boolean(),
  /** 'active', 'ending', 'grace' ... of a card subscription; null when billed at the venue. */
  standing: z.string().nullable(),
  next_billing_date: timestamp.nullable(),
  available_pours: z.number().int(),
  tier_max: z.number().int(),
  /** The application has answers that a profile summary can be made from. */
  has_preferences: z.boolean(),
});
export type MemberDetail = z.infer<typeof memberDetail>;

/** The member at the bar, as one request: what staff need beside the button that pours. */
export const barCard = z.object({
  id,
  user_id: id,
  first_name: z.string(),
  last_name: z.string(),
  tier: z.string(),
  tier_label: z.string(),
  /** Glasses left in this billing period; 0 when the standing does not pour. */
  pours_balance: z.number().int(),
  tier_max: z.number().int(),
  /** 'venue': billed at the venue. 'inactive': no membership. The others: domain/standing.ts. */
  standing: z.enum(['venue', 'inactive', ...STANDINGS]),
  /** When access after a failed renewal ends; only in grace. */
  grace_until: timestamp.nullable(),
  /** When a membership that will not renew ends; only when ending. */
  ends_at: timestamp.nullable(),
  /** The last pour that was not voided. */
  last_visit: timestamp.nullable(),
  last_pour: z
    .object({
      id,
      quantity: z.number().int(),
      location: z.string(),
      created_at: timestamp,
      recorded_by: z.string(),
    })
    .nullable(),
});
export type BarCard = z.infer<typeof barCard>;

export const members = {
  /** Everything the signed-in customer's dashboard decides on (docs/rules.md). */
  getOwn: procedure.route({ method: 'GET', path: '/customers/own' }).output(
    z.object({
      profile,
      customer: customer.nullable(),
      membership_ever: z.boolean(),
      application: application.nullable(),
    }),
  ),
  /** Staff: active members. Without a search the five newest, with one every match, page by page. */
  list: procedure
    .route({ method: 'GET', path: '/customers' })
    .input(z.strictObject({ search: searchText, cursor }))
    .output(z.object({ members: z.array(memberRow), next_cursor: z.string().nullable() })),
  /** Staff: one member by customer id or user id, active or not. */
  get: procedure
    .route({ method: 'GET', path: '/customers/{id}' })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(memberDetail),
  /** Staff: the card of a member after a scan, by customer id or user id. */
  getBarCard: procedure
    .route({ method: 'GET', path: '/customers/{id}/bar' })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(barCard),
};
