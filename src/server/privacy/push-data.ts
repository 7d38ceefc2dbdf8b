import { push_device, push_message } from '../db/schema.ts';
import { byUser, type PersonalDataTable } from './personal-data-table.ts';

const DEVICE_ONLY = 'would let anyone who reads this file send to your device';

/** Browsers that show notifications, and what they were sent. */
export const PUSH_DATA: PersonalDataTable[] = [
  {
    table: push_message,
    about: 'Notifications on your devices; their text is deleted once they are sent',
    of: byUser(push_message.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: push_device,
    about: 'Browsers that show notifications',
    of: byUser(push_device.user_id),
    hidden: { endpoint: DEVICE_ONLY, p256dh: DEVICE_ONLY, auth: DEVICE_ONLY },
    kept: 'nothing',
  },
];
