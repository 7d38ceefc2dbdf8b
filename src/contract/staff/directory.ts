import { z } from 'zod';
import {
  DIRECTIONS,
  LAST_VISIT_NAMES,
  LISTED_DUES,
  LISTED_STANDINGS,
  MEMBER_ORDERS,
  PAYMENT_WAYS,
} from '../../domain/staff/member-filter.ts';
import { answersFile, cursor, day, GET, id, POST, searchText, timestamp } from '../base.ts';
import { text } from '../text.ts';
import { csvDownload } from './csv-download.ts';

/** The filters of a list of members; an absent field does not filter. docs/rules/members.md, "The list of members". */
export const memberFilter = z.strictObject({
  /** Words, each found in first name, last name, email or phone. */
  search: searchText,
  tier: text(100).optional(),
  standing: z.enum(LISTED_STANDINGS).optional(),
  payment: z.enum(PAYMENT_WAYS).optional(),
  /** Payments at the venue: docs/rules/dues.md. 'not_counted': those that could be counted. */
  dues: z.enum(LISTED_DUES).optional(),
  visited: z.enum(LAST_VISIT_NAMES).optional(),
  tag: id.optional(),
  /** Days at the venue, both included. */
  joined_from: z.optional(day),
  joined_to: z.optional(day),
});
export type MemberFilter = z.input<typeof memberFilter>;

const memberOrder = z.strictObject({
  order: z.enum(MEMBER_ORDERS).default('name'),
  direction: z.enum(DIRECTIONS).optional(),
});

const listedMember = z.object({
  id,
  user_id: id,
  first_name: z.string(),
  last_name: z.string(),
  /** Null for deleted accounts. Email and phone are also null for staff without `manage_members` or `see_reports`. */
  email: z.string().nullable(),
  phone: z.string().nullable(),
  tier: z.string(),
  tier_label: z.string(),
  standing: z.enum(LISTED_STANDINGS),
  payment: z.enum(PAYMENT_WAYS),
  /** The first day that is not paid at the venue; null if that is not counted. */
  paid_until: z.nullable(day),
  member_since: day,
  /** The last pour that was not voided. */
  last_visit: timestamp.nullable(),
  /** Glasses left in this billing period; 0 when the standing allows none. */
  pours_balance: z.number().int(),
  total_pours_lifetime: z.number().int(),
  former: z.boolean(),
});
export type ListedMember = z.infer<typeof listedMember>;

export const directory = {
  list: POST('/directory', {
    summary: 'List members and former members',
    description:
      'A page at a time. Emails and phone numbers need `manage_members` or `see_reports`. A POST, because names in URLs end up in logs.',
  })
    .input(z.strictObject({ ...memberFilter.shape, ...memberOrder.shape, cursor }))
    .output(z.object({ members: z.array(listedMember), next_cursor: z.string().nullable() })),
  count: POST('/directory/count', {
    summary: 'Count members and former members',
    description: 'Counted up to 10,000.',
  })
    .input(memberFilter)
    .output(z.object({ count: z.number().int(), more: z.boolean() })),
  export: GET('/directory/csv', {
    ...answersFile('text/csv'),
    summary: 'Download the list of members',
    description: 'A file for spreadsheets, all pages in one. Not of a search: names in URLs end up in logs.',
  })
    .input(z.strictObject({ ...memberFilter.omit({ search: true }).shape, ...memberOrder.shape }))
    .output(csvDownload),
};
