import { and, eq } from '../db/orm.ts';
import { deliveries, push_device } from '../db/schema.ts';
import { byUser, type PersonalDataTable } from './personal-data-table.ts';

const DEVICE_ONLY = 'would let anyone who reads this file send to your device';

export const PUSH_DATA: PersonalDataTable[] = [
  {
    table: deliveries,
    about: 'Notifications on your devices; their text is deleted once they are sent',
    of: ({ user_id }) => and(eq(deliveries.kind, 'push'), eq(deliveries.user_id, user_id)),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: push_device,
    about: 'Browsers that show you notifications',
    of: byUser(push_device.user_id),
    hidden: { endpoint: DEVICE_ONLY, p256dh: DEVICE_ONLY, auth: DEVICE_ONLY },
    kept: 'nothing',
  },
];
