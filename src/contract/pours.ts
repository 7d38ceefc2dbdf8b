import { z } from 'zod';
import { MAX_PLACE_ID_LENGTH, PLACE_ID } from '../domain/club/places.ts';
import { MAX_NOTES_LENGTH, MAX_POUR_QUANTITY, MAX_REASON_LENGTH } from '../domain/pour.ts';
import { id, procedure, text, timestamp } from './base.ts';
import { refusals } from './refusals.ts';
import { rating } from './wine/ratings.ts';
import { pouredWine } from './wine/wines.ts';

export const pour = z.object({
  id,
  quantity: z.number().int(),
  /** main_bar, private_event or tasting_room. */
  location: z.string(),
  /** The venue's own name of the place; null where it has kept the first one. */
  place_name: z.string().nullable(),
  notes: z.string().nullable(),
  status: z.string(),
  toast_reference_number: z.string(),
  created_at: timestamp,
  /** Which wine; null if none was named. */
  wine_id: id.nullable(),
});
export type Pour = z.infer<typeof pour>;

/** A pour as staff read it: who recorded it, and when, why and by whom it was voided. */
const staffPour = z.object({
  ...pour.shape,
  wine: pouredWine.nullable(),
  /** Present if it was for a guest of the member. */
  guest: z.literal(true).optional(),
  /** Staff said that they offered water; null if they did not answer. */
  offered_water: z.boolean().nullable(),
  /** The member showed a printed card. */
  printed_card: z.boolean(),
  recorded_by: z.string(),
  /** The caller recorded it. */
  own: z.boolean(),
  /** The shared tablet on which it was recorded; null for any other device. */
  tablet: z.string().nullable(),
  voided: z.object({ at: timestamp, by: z.string(), reason: z.string().nullable() }).nullable(),
});
export type StaffPour = z.infer<typeof staffPour>;

/** A pour as the member reads it: without what staff noted. */
const ownPour = z.object({
  ...pour.omit({ notes: true, toast_reference_number: true }).shape,
  wine: pouredWine.nullable(),
  /** Present if it was for a guest of theirs. */
  guest: z.literal(true).optional(),
  /** The member's verdict on it. */
  rating: rating.nullable(),
});
export type OwnPour = z.infer<typeof ownPour>;

/** A calendar month at the venue, and on how many of its days glasses were poured. */
const visitMonth = z.object({
  /** 'YYYY-MM' */
  month: z.string(),
  visits: z.number().int(),
  glasses: z.number().int(),
});
export type VisitMonth = z.infer<typeof visitMonth>;

/** A billing period into which glasses rolled over. */
const rolledOver = z.object({
  /** When it began. */
  at: timestamp,
  glasses: z.number().int(),
});
export type RolledOver = z.infer<typeof rolledOver>;

/** What staff fill in. The pour form, the offline queue and the call all carry it as it is. */
export const pourDraft = z.strictObject({
  quantity: z.number().int().min(1, 'Enter 1 or more').max(MAX_POUR_QUANTITY),
  /** The id of one of the venue's places, even one retired in the meantime. */
  location: z
    .string('Please select a location')
    .max(MAX_PLACE_ID_LENGTH, 'Please select a location')
    .regex(PLACE_ID, 'Please select a location'),
  notes: text(MAX_NOTES_LENGTH).trim().optional(),
  /** Which wine; an id that the venue does not know is left out of the row. */
  wine_id: id.optional(),
  /** Staff offered water: docs/rules/pours.md, "Serving responsibly". */
  offered_water: z.literal(true).optional(),
});
export type PourDraft = z.infer<typeof pourDraft>;

/** A pour to record. The server counts a request_id once, however often it arrives. */
const recordPourInput = z.strictObject({
  request_id: id,
  customer_id: id,
  /** The printed card that was scanned, as its verification said. */
  paper_card_id: id.optional(),
  /** The glass that the member gave to a guest, as the verification of its code said. One glass. */
  guest_glass_id: id.optional(),
  ...pourDraft.shape,
});
export type RecordPourInput = z.infer<typeof recordPourInput>;

/** What staff fill in to void a pour once a reason is required. */
export const voidReason = z.strictObject({
  reason: text(MAX_REASON_LENGTH).trim().min(1, 'Please enter a reason.'),
});

export const pours = {
  listMonths: procedure
    .route({
      method: 'GET',
      path: '/pours/months',
      summary: "List the signed-in customer's visits by month",
      description: 'The last twelve months since their membership began, oldest first, empty ones too.',
    })
    .output(z.array(visitMonth)),
  list: procedure
    .route({
      method: 'GET',
      path: '/pours/own',
      summary: "List the signed-in customer's pours",
      description: 'The last 50, newest first. Staff notes are not among the fields.',
    })
    .output(z.array(ownPour)),
  listRolledOver: procedure
    .route({
      method: 'GET',
      path: '/pours/rolled-over',
      summary: "List what rolled over into the signed-in customer's billing periods",
      description: 'The last 50 periods that took over glasses of the one before, newest first.',
    })
    .output(z.array(rolledOver)),
  listForCustomer: procedure
    .route({
      method: 'GET',
      path: '/customers/{customer_id}/pours',
      summary: "List a member's pours",
      description: 'The last ten, by customer id.',
    })
    .input(z.strictObject({ customer_id: id }))
    .errors(refusals('NOT_FOUND'))
    .output(z.array(staffPour)),
  record: procedure
    .route({
      method: 'POST',
      path: '/pours',
      summary: 'Record a pour',
      description:
        'The same request_id again returns the first result, so a call without an answer can be repeated.',
      successStatus: 201,
    })
    .input(recordPourInput)
    .errors(
      refusals(
        'NOT_FOUND',
        'CUSTOMER_NOT_ACTIVE',
        'POURS_EXCEEDED',
        'PLACE_UNKNOWN',
        'REQUEST_ID_REUSED',
        'GUEST_GLASS_REFUSED',
      ),
    )
    .output(z.object({ pour, pours_balance: z.number().int(), repeated: z.boolean() })),
  void: procedure
    .route({
      method: 'POST',
      path: '/pours/{id}/void',
      summary: 'Void a pour',
      description:
        'Adds a row to the ledger. Who recorded it needs no reason within ten seconds; later, and for others, a reason is required. Voiding again returns the first void.',
    })
    .input(z.strictObject({ id, reason: text(MAX_REASON_LENGTH).trim().optional() }))
    .errors(refusals('NOT_FOUND', 'VOID_NEEDS_REASON'))
    .output(z.object({ pour: staffPour, pours_balance: z.number().int() })),
};
