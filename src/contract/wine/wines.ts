import { z } from 'zod';
import { MAX_COST_CENTS, MAX_WINES, WINE_COLORS, WINE_STATES } from '../../domain/wine/wine.ts';
import { cents, GET, id, POST, PUT, timestamp } from '../base.ts';
import { wineFields } from '../forms/wine-fields.ts';
import { pictureVersion } from '../pictures/picture.ts';
import { refusals } from '../refusals.ts';

/** The fields that staff fill in, shared by the form, the file and the call. Absent fields are empty. */
const wineDraft = z.strictObject({
  ...wineFields,
  /** The venue's cost of a bottle, in the currency's smallest unit. */
  cost_cents: z
    .number('Enter a number, or nothing')
    .int('Enter a whole number, or nothing')
    .min(0, 'Enter 0 or more')
    .max(MAX_COST_CENTS)
    .optional(),
});
export type WineDraft = z.infer<typeof wineDraft>;

const wineWords = {
  id,
  name: z.string(),
  /** Empty if unknown, like the next three. */
  producer: z.string(),
  region: z.string(),
  country: z.string(),
  grape: z.string(),
  vintage: z.number().int().nullable(),
  color: z.enum(WINE_COLORS),
  sweetness: z.number().int(),
  body: z.number().int(),
  tannin: z.number().int(),
  acidity: z.number().int(),
  notes: z.string(),
  picture: pictureVersion.nullable(),
};

export const listedWine = z.object({ ...wineWords, state: z.enum(['open', 'coming']) });
export type ListedWine = z.infer<typeof listedWine>;

export const staffWine = z.object({
  ...wineWords,
  glasses_per_bottle: z.number().int(),
  /** Null if unknown; absent on a shared tablet, which does not need it. */
  cost_cents: cents.nullable().optional(),
  state: z.enum(WINE_STATES),
  /** The open bottle. `left` is negative if more was poured than the bottle holds. */
  bottle: z
    .object({ id, opened_at: timestamp, glasses: z.number().int(), left: z.number().int() })
    .nullable(),
  /** Glasses from bottles opened in the last 30 days, not voided. */
  recently_poured: z.number().int(),
});
export type StaffWine = z.infer<typeof staffWine>;

export const pouredWine = listedWine.pick({
  id: true,
  name: true,
  producer: true,
  vintage: true,
  color: true,
});
export type PouredWine = z.infer<typeof pouredWine>;

const unknownWine = refusals('NOT_FOUND');

export const wines = {
  list: GET('/wines', {
    summary: 'List the wines',
    description: "For staff: the whole list in the venue's order, with the open bottles.",
  }).output(z.array(staffWine)),
  listOpen: GET('/wines/open', {
    summary: 'List the open wines',
    description: 'For staff, as the pour form offers them: most poured of late first.',
  }).output(z.array(pouredWine)),
  listTonight: GET('/wines/tonight', {
    summary: "List tonight's wines",
    description: "For members: the open wines, then the others, in the venue's order.",
  }).output(z.array(listedWine)),
  create: POST('/wines', {
    successStatus: 201,
    summary: 'Add a wine',
    description: 'For staff. It is added at the end of the list, not open yet.',
  })
    .input(wineDraft)
    .errors(refusals('WINE_LISTED', 'TOO_MANY_WINES'))
    .output(staffWine),
  update: PUT('/wines/{id}', {
    summary: 'Change a wine',
    description: 'For staff: replaces its details. An open bottle keeps the glasses it was opened with.',
  })
    .input(z.strictObject({ id, ...wineDraft.shape }))
    .errors(refusals('NOT_FOUND', 'WINE_LISTED'))
    .output(staffWine),
  order: PUT('/wines/order', {
    summary: 'Put wines in order',
    description:
      'For staff: these wines take this order, in the places that they have among all. Unknown ids are left out.',
  })
    .input(z.strictObject({ ids: z.array(id).min(1).max(MAX_WINES) }))
    .output(z.array(staffWine)),
  openBottle: POST('/wines/{id}/bottles', {
    successStatus: 201,
    summary: 'Open a bottle',
    description:
      'For staff. `instead_of` is the open bottle that the caller sees, which it finishes; where another one is open by now, someone was faster, and nothing changes.',
  })
    .input(z.strictObject({ id, instead_of: id.nullable() }))
    .errors(unknownWine)
    .output(staffWine),
  putAway: POST('/wines/{id}/put-away', {
    summary: 'Take a wine off the bar',
    description: 'For staff: finishes its open bottle. Again, it changes nothing.',
  })
    .input(z.strictObject({ id, state: z.enum(['gone', 'coming']) }))
    .errors(unknownWine)
    .output(staffWine),
};
