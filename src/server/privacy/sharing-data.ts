import { eq, or, sql } from '../db/orm.ts';
import { guest_glass, household_invitation, household_seat } from '../db/schema.ts';
import { ofCustomer, ownCustomer, type PersonalDataTable, SECRET } from './personal-data-table.ts';

const OTHER = 'is someone else’s record';

/** Households of a member, and the glasses they gave. */
export const SHARING_DATA: PersonalDataTable[] = [
  {
    table: household_invitation,
    about: 'Invitations to share a membership, from you or to you',
    of: (person) =>
      or(
        sql`${household_invitation.holder_id} in ${ownCustomer(person)}`,
        eq(household_invitation.email, person.email),
      ),
    hidden: { token_hash: SECRET, holder_id: OTHER },
    kept: 'nothing',
  },
  {
    table: household_seat,
    about: 'Since when and until when you shared a membership',
    of: (person) =>
      or(ofCustomer(household_seat.holder_id)(person), ofCustomer(household_seat.customer_id)(person)),
    hidden: { holder_id: OTHER, customer_id: OTHER },
    kept: { why: 'the ledger of glasses', erased: {} },
  },
  {
    table: guest_glass,
    about: 'Pours that you gave to guests',
    of: ofCustomer(guest_glass.customer_id),
    hidden: { token_hash: SECRET, pool_id: OTHER },
    kept: { why: 'the ledger of glasses', erased: { token_hash: null } },
  },
];
