import { and, eq, inArray, sql } from '../db/orm.ts';
import { deliveries, paper_card, wallet_device, wallet_pass } from '../db/schema.ts';
import { byUser, ofCustomer, type PersonalDataTable, SECRET } from './personal-data-table.ts';

export const CARD_DATA: PersonalDataTable[] = [
  {
    table: paper_card,
    about: 'Your printed cards: when each was made and replaced',
    of: ofCustomer(paper_card.customer_id),
    hidden: { proof_hash: SECRET, key_id: 'says only which key of ours made the code' },
    kept: { why: 'the ledger of glasses', erased: { proof_hash: null, key_id: null } },
  },
  {
    // Before the passes, which it is found through.
    table: wallet_device,
    about: 'Devices that keep your pass in Apple Wallet',
    of: ({ user_id }) =>
      inArray(wallet_device.pass_id, sql`(select id from wallet_pass where user_id = ${user_id}::uuid)`),
    hidden: { push_token: 'lets whoever has it send to your device' },
    kept: 'nothing',
  },
  {
    table: deliveries,
    about: 'When your passes are brought up to date',
    of: ({ user_id }) => and(eq(deliveries.kind, 'wallet'), eq(deliveries.user_id, user_id)),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: wallet_pass,
    about: 'Your passes in Apple Wallet and Google Wallet',
    of: byUser(wallet_pass.user_id),
    hidden: { content_hash: 'says nothing that the other tables do not' },
    kept: 'nothing',
  },
];
