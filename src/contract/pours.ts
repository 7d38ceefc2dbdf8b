import { z } from 'zod';
import { MAX_POUR_WAIT_DAYS, MAX_REASON_LENGTH } from '../domain/pour.ts';
import { GET, id, POST, timestamp } from './base.ts';
import { pourFields } from './forms/pour-fields.ts';
import { refusals } from './refusals.ts';
import { text } from './text.ts';
import { rating } from './wine/ratings.ts';
import { pouredWine } from './wine/wines.ts';

export const pour = z.object({
  id,
  quantity: z.number().int(),
  /** main_bar, private_event or tasting_room. */
  location: z.string(),
  /** The venue's own name for the place; null if it still has the original one. */
  place_name: z.string().nullable(),
  notes: z.string().nullable(),
  status: z.string(),
  toast_reference_number: z.string(),
  /** When it was poured. */
  created_at: timestamp,
  /** Null if none was named. */
  wine_id: id.nullable(),
});
export type Pour = z.infer<typeof pour>;

/** A pour for staff: by whom it was recorded, and when, why and by whom it was voided. */
const staffPour = z.object({
  ...pour.shape,
  wine: pouredWine.nullable(),
  /** Present if it was for a guest of the member. */
  guest: z.literal(true).optional(),
  /** True if staff said that they offered water; null if they did not answer. */
  offered_water: z.boolean().nullable(),
  printed_card: z.boolean(),
  /** When it was recorded, if it waited for a network; null if that was at once. */
  recorded_at: timestamp.nullable(),
  recorded_by: z.string(),
  own: z.boolean(),
  /** The shared tablet that recorded the pour; null for any other device. */
  tablet: z.string().nullable(),
  voided: z.object({ at: timestamp, by: z.string(), reason: z.string().nullable() }).nullable(),
});
export type StaffPour = z.infer<typeof staffPour>;

const ownPour = z.object({
  ...pour.omit({ notes: true, toast_reference_number: true }).shape,
  wine: pouredWine.nullable(),
  /** Present if it was for a guest of the member. */
  guest: z.literal(true).optional(),
  rating: rating.nullable(),
});
export type OwnPour = z.infer<typeof ownPour>;

/** A calendar month at the venue, and the number of its days with pours. */
const visitMonth = z.object({
  /** 'YYYY-MM' */
  month: z.string(),
  visits: z.number().int(),
  glasses: z.number().int(),
});
export type VisitMonth = z.infer<typeof visitMonth>;

const rolledOver = z.object({
  at: timestamp,
  glasses: z.number().int(),
});
export type RolledOver = z.infer<typeof rolledOver>;

/** The fields that staff fill in, with the wine and the water. */
const pourDraft = z.strictObject({
  ...pourFields,
  /** An id that the venue does not know is left out of the row. */
  wine_id: id.optional(),
  /** Staff offered water: docs/rules/pours.md, "Serving responsibly". */
  offered_water: z.literal(true).optional(),
});
export type PourDraft = z.infer<typeof pourDraft>;

/** A pour to record. The server counts a request_id once, even if it arrives several times. */
const recordPourInput = z.strictObject({
  request_id: id,
  customer_id: id,
  /** The id of the scanned printed card, returned by its verification. */
  paper_card_id: id.optional(),
  /** The id of a guest glass, returned by the verification of its code. One glass. */
  guest_glass_id: id.optional(),
  /** When it was poured, by the server's clock, if it waited for a network. Left out otherwise. */
  poured_at: timestamp.optional(),
  ...pourDraft.shape,
});
export type RecordPourInput = z.infer<typeof recordPourInput>;

export const pours = {
  listMonths: GET('/pours/months', {
    summary: "List the signed-in customer's visits by month",
    description: 'The last twelve months since their membership began, oldest first, empty ones too.',
  }).output(z.array(visitMonth)),
  list: GET('/pours/own', {
    summary: "List the signed-in customer's pours",
    description: 'The last 50, newest first. Staff notes are not among the fields.',
  }).output(z.array(ownPour)),
  listRolledOver: GET('/pours/rolled-over', {
    summary: "List what rolled over into the signed-in customer's billing periods",
    description: 'The last 50 periods that took over glasses of the one before, newest first.',
  }).output(z.array(rolledOver)),
  listForCustomer: GET('/customers/{customer_id}/pours', {
    summary: "List a member's pours",
    description: 'The last ten, by customer id.',
  })
    .input(z.strictObject({ customer_id: id }))
    .errors(refusals('NOT_FOUND'))
    .output(z.array(staffPour)),
  record: POST('/pours', {
    summary: 'Record a pour',
    description: `The same request_id again returns the first result, so a call without an answer can be repeated. Only a pour that waited for a network has a poured_at: by the server's clock, as in the Date header, and at most ${MAX_POUR_WAIT_DAYS} days ago.`,
    successStatus: 201,
  })
    .input(recordPourInput)
    .errors(
      refusals(
        'NOT_FOUND',
        'CUSTOMER_NOT_ACTIVE',
        'POURS_EXCEEDED',
        'PLACE_UNKNOWN',
        'POUR_TIME_REFUSED',
        'REQUEST_ID_REUSED',
        'GUEST_GLASS_REFUSED',
      ),
    )
    .output(z.object({ pour, pours_balance: z.number().int(), repeated: z.boolean() })),
  void: POST('/pours/{id}/void', {
    summary: 'Void a pour',
    description:
      'Adds a row to the ledger. Who recorded it needs no reason within ten seconds; later, and for others, a reason is required. Voiding again returns the first void.',
  })
    .input(z.strictObject({ id, reason: text(MAX_REASON_LENGTH).trim().optional() }))
    .errors(refusals('NOT_FOUND', 'VOID_NEEDS_REASON'))
    .output(z.object({ pour: staffPour, pours_balance: z.number().int() })),
};
