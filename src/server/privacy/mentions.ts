import { WITHOUT_WORDS } from '../billing/gifts/gift-code.ts';
import type { Tx } from '../db/client.ts';
import { and, eq, type SQL, sql } from '../db/orm.ts';
import { email_change, gift_membership, member_import_row, staff_notice } from '../db/schema.ts';
import { deleteRefusedEmails } from '../membership/refused-email.ts';
import type { Person } from './personal-data-table.ts';

/** Rows of imported files about a person: theirs, or with their email in any cell, as before the columns are chosen. */
export function importRowsOf({ user_id, email }: Person): SQL {
  const { user_id: owner, email: address, cells } = member_import_row;
  const word = `(^|[^[:alnum:]._%+-])${email.replaceAll(/[^a-z0-9@]/gi, '\\$&')}($|[^[:alnum:].-])`;
  return sql`(${owner} = ${user_id}::uuid or ${address} = ${email}
    or exists (select 1 from jsonb_array_elements_text(${cells}) c where c ~* ${word}))`;
}

/** Erases what the rows of others say of a person whose account is deleted. */
export async function eraseMentions(tx: Tx, { user_id, email }: Person): Promise<void> {
  await tx
    .update(gift_membership)
    .set(WITHOUT_WORDS)
    .where(sql`lower(${gift_membership.recipient_email}) = ${email}`);
  await tx.delete(email_change).where(sql`lower(${email_change.new_email}) = ${email}`);
  const { kind, facts } = staff_notice;
  await deleteRefusedEmails(tx, user_id);
  await tx
    .update(staff_notice)
    .set({ facts: sql`${facts} || '{"name": null, "email": null}'` })
    .where(and(eq(kind, 'unknown_subscription'), sql`${facts}->>'email' = ${email}`));
}
