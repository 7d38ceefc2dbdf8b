import { z } from 'zod';
import { LEAVING_REASONS } from '../../domain/reports/leaving-reason.ts';
import { STANDINGS_OVER_TIME } from '../../domain/reports/member-figures.ts';
import { PAYMENT_KINDS, PAYMENT_STATES } from '../../domain/reports/payment-list.ts';
import { isReportRange } from '../../domain/reports/report-range.ts';
import { answersFile, cents, day, GET, id, timestamp } from '../base.ts';
import { csvDownload } from './csv-download.ts';

const count = z.number().int().nonnegative();
/** The range of years in which a venue can have had members. */
const reportDay = day.check(
  z.refine((it) => it >= '2000-01-01' && it < '3000-01-01', 'Enter a year from 2000 on'),
);
const RANGE = { from: reportDay, to: reportDay };
const RANGE_RULE = 'Choose a first day before the last one, at most five years apart';

/** Days at the venue, both included. */
const reportRange = z.strictObject(RANGE).refine(isReportRange, RANGE_RULE);

const PAYMENT_FILTER = {
  kind: z.enum(PAYMENT_KINDS).optional(),
  /** Without a state, every payment received. */
  state: z.enum(PAYMENT_STATES).optional(),
};

const counts = { pours: count, glasses: count };

const membersReport = z.object({
  step: z.enum(['day', 'week', 'month']),
  /** Numbers at the end of the last day of each step, oldest first. */
  points: z.array(
    z.object({
      day,
      members: count,
      tiers: z.record(z.string(), count),
      standings: z.partialRecord(z.enum(STANDINGS_OVER_TIME), count),
    }),
  ),
  /** Members who joined in the range, by the colleague who approved or signed them up; without imported ones. */
  sign_ups: z.array(
    z.object({
      staff_id: id,
      name: z.string(),
      members: count,
      still_members: count,
      /** Days of membership until its end or today, on average. */
      days_stayed: count,
    }),
  ),
});
export type MembersReport = z.infer<typeof membersReport>;

const revenueReport = z.object({
  currency: z.string(),
  /** Every month in the range; the current one ends today. */
  months: z.array(
    z.object({
      month: day,
      opening: count,
      joined: count,
      lost: count,
      closing: count,
      /** The share of members at the beginning who left, 0 to 1; null without members. */
      churn: z.number().nullable(),
      opening_cents: cents,
      new_cents: cents,
      expansion_cents: cents,
      contraction_cents: cents,
      lost_cents: cents,
      closing_cents: cents,
    }),
  ),
  reasons: z.array(z.object({ reason: z.enum(LEAVING_REASONS).nullable(), members: count })),
  /** Members on the house at the end of the last month, and what their tiers cost a month today; no revenue. */
  on_the_house: z.object({ members: count, cents }),
});
export type RevenueReport = z.infer<typeof revenueReport>;

const poursReport = z.object({
  /** Only days with pours, oldest first. */
  days: z.array(z.object({ day, ...counts })),
  /** Weekday 1 is Monday; hours on the venue's clock, 0 to 23. */
  hours: z.array(z.object({ weekday: z.number().int(), hour: z.number().int(), ...counts })),
  places: z.array(z.object({ location: z.string(), ...counts })),
  staff: z.array(z.object({ staff_id: id, name: z.string(), ...counts })),
});
export type PoursReport = z.infer<typeof poursReport>;

const unusedReport = z.object({
  months: z.array(z.object({ month: day, tier: z.string(), periods: count, given: count, unused: count })),
});
export type UnusedReport = z.infer<typeof unusedReport>;

/** The number in the range, and the total in the club's currency. */
const sums = z.object({ count, cents });

const paymentsReport = z.object({
  currency: z.string(),
  /** Totals of the range, whatever the filter. card and till: received, less refunds. */
  sums: z.object({ card: sums, till: sums, refunded: sums, disputed: sums, overdue: sums }),
  found: count,
  /** At most 300, the latest first. */
  payments: z.array(
    z.object({
      /** The id of the Stripe invoice, the gift, the membership, or the subscription that is overdue. */
      id: z.string(),
      kind: z.enum(PAYMENT_KINDS),
      state: z.enum(PAYMENT_STATES),
      day,
      /** Null if only the day is known. */
      at: timestamp.nullable(),
      /** The payer; null after the account was deleted. */
      user_id: id.nullable(),
      name: z.string().nullable(),
      /** The tier as it was then; null for a payment by card that belongs to no month. */
      tier: z.string().nullable(),
      /** Paid or due; at the till, the first month's price. */
      cents,
      refunded_cents: cents,
      /** The tax in `cents`; null for gifts, at the till, and where it is not known. */
      tax_cents: cents.nullable(),
      currency: z.string(),
      reference: z.string().nullable(),
      by: z.string().nullable(),
    }),
  ),
});
export type PaymentsReport = z.infer<typeof paymentsReport>;

const tonight = z.object({
  since: timestamp,
  /** Glasses by hour, in the order of the night. */
  poured: z.array(z.object({ hour: z.number().int(), location: z.string(), glasses: count })),
  members_came: count,
  joined: count,
  /** Applications waiting for a review. */
  applications: count,
  overdue: count,
});
export type Tonight = z.infer<typeof tonight>;

const REPORT_NAMES = [
  'members',
  'revenue',
  'reasons',
  'payments',
  'days',
  'hours',
  'sign_ups',
  'places',
  'staff',
  'unused',
] as const;
export type ReportName = (typeof REPORT_NAMES)[number];

export const reports = {
  members: GET('/reports/members', {
    summary: 'Report members',
    description: 'By tier and standing over time.',
  })
    .input(reportRange)
    .output(membersReport),
  revenue: GET('/reports/revenue', {
    summary: 'Report revenue',
    description: 'Recurring revenue, joins, losses, churn and reasons for leaving, by month.',
  })
    .input(reportRange)
    .output(revenueReport),
  payments: GET('/reports/payments', {
    summary: 'Report payments',
    description:
      'By card for memberships and gifts, at the till with their references, and overdue ones where asked for.',
  })
    .input(z.strictObject({ ...RANGE, ...PAYMENT_FILTER }).refine(isReportRange, RANGE_RULE))
    .output(paymentsReport),
  pours: GET('/reports/pours', {
    summary: 'Report pours',
    description: 'By day, weekday and hour, place and staff.',
  })
    .input(reportRange)
    .output(poursReport),
  unused: GET('/reports/unused', {
    summary: 'Report unused pours',
    description: 'Pours that billing periods gave and nobody used, by month and tier.',
  })
    .input(reportRange)
    .output(unusedReport),
  export: GET('/reports/{report}/csv', {
    summary: 'Export a report',
    description: 'One table as a file for spreadsheets. Kind and state narrow the payments.',
    ...answersFile('text/csv'),
  })
    .input(
      z
        .strictObject({ report: z.enum(REPORT_NAMES), ...RANGE, ...PAYMENT_FILTER })
        .refine(isReportRange, RANGE_RULE),
    )
    .output(csvDownload),
  tonight: GET('/reports/tonight', { summary: 'Report the night so far' }).output(tonight),
};
