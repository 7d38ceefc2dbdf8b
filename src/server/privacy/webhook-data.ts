import { inArray, sql } from '../db/orm.ts';
import { deliveries, webhook_event, webhook_try } from '../db/schema.ts';
import { ofCustomer, ownCustomer, type PersonalDataTable } from './personal-data-table.ts';

const UNTIL_HEARD =
  'other systems of the venue must still hear that the membership ended; gone after 30 days';

/** What other systems of the venue heard of a member. */
export const WEBHOOK_DATA: PersonalDataTable[] = [
  {
    table: webhook_event,
    about: 'What was sent to the venue’s other systems about your membership and pours in the last 30 days',
    of: ofCustomer(webhook_event.customer_id),
    hidden: {},
    kept: { why: `ids and numbers only: ${UNTIL_HEARD}`, erased: {} },
  },
  {
    table: deliveries,
    about: 'Which of them it was sent to, and when',
    of: (person) =>
      inArray(
        deliveries.event_id,
        sql`(select id from webhook_event where customer_id in ${ownCustomer(person)})`,
      ),
    hidden: {},
    kept: { why: UNTIL_HEARD, erased: { recipient: null, subject: null, reason: null } },
  },
  {
    table: webhook_try,
    about: 'How often it was tried, and what they answered',
    of: (person) =>
      inArray(
        webhook_try.delivery_id,
        sql`(select d.id from deliveries d join webhook_event e on e.id = d.event_id
              where e.customer_id in ${ownCustomer(person)})`,
      ),
    hidden: {},
    kept: { why: UNTIL_HEARD, erased: { error: null, answer: null } },
  },
];
