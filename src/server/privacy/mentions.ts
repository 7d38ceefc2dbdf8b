import { WITHOUT_WORDS } from '../billing/gifts/gift-code.ts';
import type { Tx } from '../db/client.ts';
import { and, eq, type SQL, sql } from '../db/orm.ts';
import { email_change, gift_membership, member_import_row, staff_notice } from '../db/schema.ts';
import { deleteRefusedEmails } from '../membership/refused-email.ts';
import type { Person } from './personal-data-table.ts';

const { user_id: owner, email: address, cells } = member_import_row;

/** Matches a cell that holds the person's email. */
const wordOf = ({ email }: Person) =>
  `(^|[^[:alnum:]._%+-])${email.replaceAll(/[^a-z0-9@]/gi, '\\$&')}($|[^[:alnum:].-])`;

const mentions = (person: Person): SQL =>
  sql`exists (select 1 from jsonb_array_elements_text(${cells}) c where c ~* ${wordOf(person)})`;

/**
 * A person's rows of imported files. Before the columns are chosen, a row with their email in any cell counts as theirs;
 * after that, only the email column is read.
 */
export const importRowsOf = (person: Person): SQL =>
  sql`(${owner} = ${person.user_id}::uuid or ${address} = ${person.email} or (${address} is null and ${mentions(person)}))`;

/** Erases what the rows of others say of a person whose account is deleted. */
export async function eraseMentions(tx: Tx, person: Person): Promise<void> {
  const { user_id, email } = person;
  await tx
    .update(member_import_row)
    .set({
      cells: sql`(select jsonb_agg(case when c ~* ${wordOf(person)} then '' else c end order by n)
                    from jsonb_array_elements_text(${cells}) with ordinality t(c, n))`,
    })
    .where(sql`${importRowsOf(person)} is not true and ${mentions(person)}`);
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
