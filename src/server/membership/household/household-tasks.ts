import type { Db } from '../../db/client.ts';
import type { MailContext } from '../../mail/send-email.ts';
import { deleteOldHouseholdInvitations } from './household-invitations.ts';
import { tellOfEndedSeats } from './seats.ts';

const TELL_EVERY_MS = 10_000;
const DELETE_EVERY_MS = 3_600_000;

/** Each email is sent once, whichever server comes first. */
export function householdTasks(ctx: MailContext & { db: Db; now(): Date }) {
  return [
    { name: 'households', everyMs: TELL_EVERY_MS, run: () => tellOfEndedSeats(ctx) },
    {
      name: 'deleting old household invitations',
      everyMs: DELETE_EVERY_MS,
      run: () => deleteOldHouseholdInvitations(ctx),
    },
  ];
}
