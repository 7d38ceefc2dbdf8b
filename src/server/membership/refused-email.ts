import { createHash } from 'node:crypto';
import type { Db, Tx } from '../db/client.ts';
import { and, eq } from '../db/orm.ts';
import { staff_notice } from '../db/schema.ts';
import type { Claimed } from '../deliveries/deliveries.ts';
import { postStaffNotice } from './staff-notices.ts';

/** Notifies staff of an email that will never arrive, once for each address of a person. */
export async function reportRefusedEmail(
  { db, now }: { db: Db; now(): Date },
  { id, user_id, recipient, subject }: Claimed,
): Promise<void> {
  const address = createHash('sha256')
    .update(recipient ?? '')
    .digest('hex')
    .slice(0, 12);
  await postStaffNotice(db, {
    kind: 'email_refused',
    cause: `email_refused:${user_id ? `${user_id}:${address}` : id}`,
    user_id,
    facts: { subject },
    at: now(),
  });
}

/** Deletes the notices of refused emails to a person: the address they are about is no longer theirs. */
export async function deleteRefusedEmails(tx: Tx, user_id: string): Promise<void> {
  const { kind, user_id: userId } = staff_notice;
  await tx.delete(staff_notice).where(and(eq(kind, 'email_refused'), eq(userId, user_id)));
}
