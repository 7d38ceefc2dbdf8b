import { member_palate, member_taste, pour_rating } from '../db/schema.ts';
import { byUser, ofCustomer, type PersonalDataTable } from './personal-data-table.ts';

export const TASTE_DATA: PersonalDataTable[] = [
  {
    table: member_taste,
    about: 'Your taste, as you last changed it',
    of: byUser(member_taste.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: pour_rating,
    about: 'What you thought of your wines',
    of: ofCustomer(pour_rating.customer_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: member_palate,
    about: 'What you told us about the kinds of wine you like, and since when your verdicts count',
    of: ofCustomer(member_palate.customer_id),
    hidden: {},
    kept: 'nothing',
  },
];
