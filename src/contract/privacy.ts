import { z } from 'zod';
import { GET, id, POST, timestamp } from './base.ts';
import { confirmation, currentPassword } from './forms/credentials.ts';
import { refusals } from './refusals.ts';

/** All data stored about one user. Times are ISO 8601 in UTC, amounts are cents. */
const personalData = z.object({
  version: z.literal(1),
  made_at: timestamp,
  club: z.string(),
  /** One section for each table that can hold rows about a user, the most requested first. */
  sections: z.array(
    z.object({
      about: z.string(),
      table: z.string(),
      rows: z.array(z.record(z.string(), z.unknown())),
      /** Omitted columns, with the reason. */
      left_out: z.record(z.string(), z.string()),
    }),
  ),
  /** Omitted tables, with the reason. */
  left_out: z.array(z.object({ about: z.string(), table: z.string(), why: z.string() })),
});
export type PersonalData = z.infer<typeof personalData>;

export const privacy = {
  exportData: GET('/privacy/export', {
    summary: "Export the signed-in user's data",
    description: "Everything stored about them, without secrets and other people's data.",
  })
    .errors(refusals('TOO_MANY_ATTEMPTS'))
    .output(personalData),
  deleteAccount: POST('/privacy/delete-account', {
    summary: "Delete the signed-in member's account",
    description:
      'First the subscription ends, then the personal data is erased; the ledger stays, without a name. After a failure, calling it again continues where it stopped.',
  })
    .errors(refusals('WRONG_PASSWORD', 'TOO_MANY_ATTEMPTS', 'PAYMENTS_UNAVAILABLE'))
    .input(
      z.strictObject({
        password: currentPassword,
        confirmation,
      }),
    )
    .output(z.object({ removed: z.literal(true) })),
  deleteMemberAccount: POST('/customers/{customer_id}/account/delete', {
    summary: "Delete a member's account for them",
    description:
      'For a member who asked by letter, or has died; with the password of the member of staff. The same happens as when members delete their own account.',
  })
    .errors({
      ...refusals('NOT_FOUND', 'STAFF_ACCOUNT', 'WRONG_PASSWORD', 'NO_PASSWORD'),
      ...refusals('TOO_MANY_ATTEMPTS', 'PAYMENTS_UNAVAILABLE'),
    })
    .input(z.strictObject({ customer_id: id, password: currentPassword, confirmation }))
    .output(z.object({ removed: z.literal(true) })),
};
