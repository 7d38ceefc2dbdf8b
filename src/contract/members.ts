import { z } from 'zod';
import { APPLICATION_STATUSES } from '../domain/application.ts';
import { GRANT_KINDS } from '../domain/glasses.ts';
import { CELEBRATION_KINDS } from '../domain/membership/celebration.ts';
import { DUES_STATES } from '../domain/membership/dues.ts';
import { SEAT_ENDINGS } from '../domain/membership/household.ts';
import { DISPUTE_MARKS } from '../domain/staff/dispute.ts';
import { STANDINGS } from '../domain/standing.ts';
import { application } from './applications.ts';
import { bankPayment } from './bank-payment.ts';
import { cents, cursor, day, epochSeconds, GET, id, POST, searchText, timestamp } from './base.ts';
import { barBenefit, ownBenefit } from './benefits.ts';
import { consentWords } from './consent.ts';
import { pictureVersion } from './pictures/picture.ts';
import { refusals } from './refusals.ts';
import { pendingTier, tierUp } from './tiers.ts';

export const profile = z.object({
  id,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  phone: z.string().nullable(),
});
export type Profile = z.infer<typeof profile>;

const customer = z.object({
  id,
  user_id: id,
  tier: z.string(),
  status: z.string(),
  member_since: day,
  /** Derived from the ledger and the allowance at each read; never stored. */
  pours_balance: z.number().int(),
  total_pours_lifetime: z.number().int(),
  last_activity: timestamp.nullable(),
});
export type Customer = z.infer<typeof customer>;

/** The rest of one grant: docs/rules/glasses.md, "Glasses". */
const grant = z.object({
  kind: z.enum(GRANT_KINDS),
  /** The kind of celebration; null for other grants, and for a partner, who sees them as given glasses. */
  occasion: z.enum(CELEBRATION_KINDS).nullable(),
  pours: z.number().int(),
  /** The end of the grant, exclusive. */
  until: timestamp,
});

/** A member's glasses in the current billing period: docs/rules/glasses.md, "Glasses". */
export const availablePours = z.object({
  /** Whether glasses can be poured and a card shown: false while the membership is paused, suspended or over. */
  access: z.boolean(),
  available_pours: z.number().int(),
  grants: z.array(grant),
  /** All pours since the period began, from any grant, including carried ones. */
  pours_used: z.number().int(),
  /** Glasses given to guests and not poured yet; neither available nor used. */
  held_pours: z.number().int(),
  tier_max: z.number().int(),
  /** The glasses of this period so far, including rolled-over and given ones; fewer while it is unpaid. */
  period_pours: z.number().int(),
  /** The additional glasses once the period is paid; 0 when it is. */
  pours_when_paid: z.number().int(),
  /** Pours of an earlier period that was never paid. */
  carried_pours: z.number().int(),
  /** Glasses that rolled over from the previous period; included in period_pours. */
  rolled_pours: z.number().int(),
  /** The rest of rolled_pours, which are used first. */
  rolled_left: z.number().int(),
  /** The end of the billing period and the start of the next. */
  resets_at: epochSeconds,
});
export type AvailablePours = z.infer<typeof availablePours>;

const memberRow = z.object({
  id,
  user_id: id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string(),
  tier: z.string(),
  status: z.string(),
  member_since: day,
  pours_balance: z.number().int(),
});
export type MemberRow = z.infer<typeof memberRow>;
const memberPage = z.object({ members: z.array(memberRow), next_cursor: z.string().nullable() });

/** 'venue': billed at the venue. 'inactive': no membership. Others: the standing of a subscription (domain/standing.ts). */
const barStanding = z.enum(['venue', 'inactive', ...STANDINGS]);

/** An upcoming or current pause; `until` is null for an open-ended one, made at the payment service. */
const pause = z.object({ from: timestamp, until: timestamp.nullable(), begun: z.boolean() });

/** The end, if set, of a membership without a card: a gift, or one that staff or the member ended. */
const ownEnd = z.object({
  /** The last day with glasses, at the venue. */
  last_day: day,
  /** The first instant after that day. */
  ends_at: timestamp,
  is_gift: z.boolean(),
  on_the_house: z.boolean(),
  /** The member canceled, and can keep it until then. */
  by_member: z.boolean(),
  /** A card follows after that day; the member can stay at the venue until then. */
  then_by_card: z.boolean(),
});
export type OwnEnd = z.infer<typeof ownEnd>;

const ownHousehold = z.object({
  /** partner: the membership belongs to the other person; the partner can use it but not pay for or change it. */
  role: z.enum(['holder', 'partner']),
  first_name: z.string(),
  pause: pause.nullable(),
  /** The end of the holder's membership if it will not renew, for a partner. */
  ends_at: timestamp.nullable(),
});
export type OwnHousehold = z.infer<typeof ownHousehold>;

/** How sharing another person's membership ended. */
const formerHousehold = z.object({
  ended_by: z.enum(SEAT_ENDINGS),
  /** The holder's; null once their account is deleted. */
  first_name: z.string().nullable(),
});
export type FormerHousehold = z.infer<typeof formerHousehold>;

/** The other person of a household, for staff: the holder, who pays, or the partner. */
const household = z.object({ role: z.enum(['holder', 'partner']), with: z.string(), customer_id: id });

/** What a member pays at the venue, if that is counted. */
const duesNow = z.object({
  state: z.enum(DUES_STATES),
  /** The first day that is not paid. */
  paid_until: day,
  /** The first day without pours while that is not paid. */
  grace_until: day,
  /** The price of the next month that is paid. */
  price_cents: cents,
  /** The price of twelve months at once; null if they cost twelve times one. */
  year_cents: cents.nullable(),
  /** The last paid days are those of a year, which was paid at once. */
  is_year: z.boolean(),
  /** Only to the member, here and below: the price of the next month if it were paid by card; null if it cannot be. */
  card_cents: cents.nullable().optional(),
  pause: pause.nullable().optional(),
  pending_tier: pendingTier.nullable().optional(),
});
export type DuesNow = z.infer<typeof duesNow>;

/** What staff see on a member's page and at the bar. */
const seenByStaff = {
  photo: pictureVersion.nullable(),
  /** A partner uses the holder's membership. Null for a member who does not share. */
  household: household.nullable(),
  /** Includes the standing of the card subscription that paid for the last membership. */
  standing: barStanding,
  /** The day, at the venue, on which access ended; null with access, or if unknown. */
  no_access_since: z.nullable(day),
  /** The end of a membership that will not renew. */
  ends_at: timestamp.nullable(),
  /** The grants of the glasses left. */
  grants: z.array(grant),
  period_pours: z.number().int(),
  /** The day, at the venue, on which glasses return; null if uncertain or dependent on a payment. */
  pours_return_on: z.nullable(day),
};

const memberDetail = z.object({
  ...seenByStaff,
  customer,
  profile,
  /** The account was deleted: the name is a placeholder and there is no email. */
  former: z.boolean(),
  tier_display_name: z.string(),
  has_active_membership: z.boolean(),
  next_billing_date: timestamp.nullable(),
  pause: pause.nullable(),
  bank_payment: bankPayment.nullable().optional(),
  available_pours: z.number().int(),
  /** The application has answers for a profile summary. */
  has_preferences: z.boolean(),
});
export type MemberDetail = z.infer<typeof memberDetail>;

/** An occasion that a member celebrates today: docs/rules/glasses.md, "Days to celebrate". */
const celebration = z.object({
  kind: z.enum(CELEBRATION_KINDS),
  /** Unique for the member: 'birthday:2026'. */
  occasion: z.string(),
  /** Full years as a member, for an anniversary. */
  years: z.number().int().nullable(),
  glasses: z.number().int(),
});
export type Celebrated = z.infer<typeof celebration>;

export const barCard = z.object({
  ...seenByStaff,
  id,
  /** Substances that the member must not be served; null if none are noted. */
  allergies: z.string().nullable().optional(),
  user_id: id,
  first_name: z.string(),
  last_name: z.string(),
  tier: z.string(),
  tier_label: z.string(),
  /** Glasses left in this billing period; 0 when the standing allows none. */
  pours_balance: z.number().int(),
  /** The additional glasses once the period is paid; 0 when it is. */
  pours_when_paid: z.number().int(),
  /** Null unless it is billed at the venue, and counted. */
  dues: duesNow.nullable().optional(),
  /** The holder's, in a household; not for programs. */
  bank_payment: bankPayment.nullable().optional(),
  /** A payment that the bank disputes, or took back and staff have not settled. */
  dispute: z.enum(DISPUTE_MARKS).nullable(),
  /** The giver and last day of a membership by gift; the name is null once deleted. */
  gift: z.object({ from_name: z.string().nullable(), last_day: day }).nullable(),
  /** The last day of a membership that the club gives; null for any other. */
  house: z.object({ last_day: day }).nullable(),
  /** The end of access after a failed renewal; only in grace. */
  grace_until: timestamp.nullable(),
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
  /** In the tier's order. */
  benefits: z.array(barBenefit),
  celebrations: z.array(celebration),
  /** The next glass is the member's hundredth. */
  hundredth_next: z.boolean(),
  /** The member's pours of the last two hours, without voided ones, and the thresholds for a warning. */
  service: z.object({
    pours: z.array(z.object({ quantity: z.number().int(), created_at: timestamp })),
    limits: z.object({ amber: z.number().int(), water: z.number().int() }),
  }),
});
export type BarCard = z.infer<typeof barCard>;

const ownMembership = z.object({
  profile,
  photo: pictureVersion.nullable(),
  customer: customer.nullable(),
  pours: availablePours.nullable(),
  /** In the tier's order; a partner's are the holder's. */
  benefits: z.array(ownBenefit),
  celebrations: z.array(celebration),
  membership_ever: z.boolean(),
  household: ownHousehold.nullable(),
  /** The tier is for two, and nobody shares it yet. */
  has_free_seat: z.boolean(),
  /** For a former partner without a membership since then. */
  former_household: formerHousehold.nullable(),
  /** Null unless the membership is billed at the venue, and counted. */
  dues: duesNow.nullable(),
  tiers_up: z.array(tierUp),
  /** Null without an end or a membership, and for a card membership. */
  ends: ownEnd.nullable(),
  /**
   * What canceling now would mean for a membership at the venue: when it ends, and whether that is now, because a payment is
   * due. Null for a gift, with an end, and for any other membership.
   */
  if_canceled: z.object({ ends_at: timestamp, overdue: z.boolean() }).nullable(),
  /** The consent that an imported user has to give first; null for everyone else. */
  consent_due: consentWords.nullable(),
  application: application.nullable(),
  /** The decision on the latest application, while the dashboard shows it. */
  decision: z
    .object({ status: z.enum(APPLICATION_STATUSES), reviewed_at: timestamp, tier: z.string() })
    .nullable(),
});
export type OwnMembership = z.infer<typeof ownMembership>;

export const members = {
  getOwn: GET('/customers/own', {
    summary: "Get the signed-in customer's membership",
    description: 'What their dashboard depends on.',
  }).output(ownMembership),
  list: GET('/customers', {
    summary: 'List the newest members',
    description: 'The five newest active members.',
  })
    .input(z.strictObject({}))
    .output(memberPage),
  search: POST('/customers/search', {
    summary: 'Search active members',
    description:
      'Every active member who matches, page by page. A POST, because names in URLs end up in logs.',
  })
    .input(z.strictObject({ search: searchText, cursor }))
    .output(memberPage),
  get: GET('/customers/{id}', {
    summary: 'Get a member',
    description: 'By customer id or user id, active or not.',
  })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(memberDetail),
  getBarCard: GET('/customers/{id}/bar', {
    summary: "Get a member's card for the bar",
    description: 'What staff see after a scan, by customer id or user id.',
  })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(barCard),
};
