import { z } from 'zod';
import { DELETE_CONFIRMATION } from '../domain/account-deletion.ts';
import { procedure, timestamp } from './base.ts';
import { currentPassword } from './credentials.ts';
import { refusals } from './refusals.ts';

/** All that is stored about one person. Instants are ISO 8601 in UTC, amounts cents. */
export const personalData = z.object({
  /** Of this shape. */
  version: z.literal(1),
  made_at: timestamp,
  club: z.string(),
  /** In the order of what people ask about first; one for each table that can hold rows about a person. */
  sections: z.array(
    z.object({
      about: z.string(),
      table: z.string(),
      rows: z.array(z.record(z.string(), z.unknown())),
      /** Columns that are not shown, with the reason. */
      left_out: z.record(z.string(), z.string()),
    }),
  ),
  /** Kept, and not shown at all. */
  left_out: z.array(z.object({ about: z.string(), table: z.string(), why: z.string() })),
});
export type PersonalData = z.infer<typeof personalData>;

/** What a person may do about the data that is kept of them. */
export const privacy = {
  /** Everything that is stored about the signed-in person, without secrets and other people's data. */
  exportData: procedure
    .route({ method: 'GET', path: '/privacy/export' })
    .errors(refusals('TOO_MANY_ATTEMPTS'))
    .output(personalData),
  /**
   * Deletes the signed-in customer's account: the subscription ends first, then all that is about the person
   * goes; the ledger stays without them. Asked again after a failure, it goes on where it stopped.
   */
  deleteAccount: procedure
    .route({ method: 'POST', path: '/privacy/delete-account' })
    .errors(refusals('WRONG_PASSWORD', 'TOO_MANY_ATTEMPTS', 'PAYMENTS_UNAVAILABLE'))
    .input(
      z.strictObject({
        password: currentPassword,
        confirmation: z.literal(DELETE_CONFIRMATION, `Please type ${DELETE_CONFIRMATION}`),
      }),
    )
    .output(z.object({ removed: z.literal(true) })),
};
