import { z } from 'zod';
import { IDLE_MINUTES } from '../../domain/staff/staff-pin.ts';
import { DELETE, GET, id, POST, PUT, timestamp } from '../base.ts';
import { currentPassword } from '../forms/credentials.ts';
import { pin, tabletName } from '../forms/staff-fields.ts';
import { refusals } from '../refusals.ts';

const idleMinutes = z.union(IDLE_MINUTES.map((minutes) => z.literal(minutes)));

const barDevice = z.object({
  id,
  name: z.string(),
  idle_minutes: z.number().int(),
  opened_by: z.string(),
  opened_at: timestamp,
  last_used_at: timestamp.nullable(),
  used_by: z.string().nullable(),
});
export type BarDevice = z.infer<typeof barDevice>;

export const openDeviceInput = z.strictObject({
  name: tabletName,
  idle_minutes: idleMinutes,
  password: currentPassword,
});
const setPinInput = z.strictObject({ pin, password: currentPassword });
const switchInInput = z.strictObject({ user_id: id, pin });

const person = z.object({ user_id: id, first_name: z.string(), last_name: z.string() });

export const barDevices = {
  list: GET('/bar-devices', { summary: 'List shared tablets' }).output(z.array(barDevice)),
  open: POST('/bar-devices', {
    summary: 'Make this browser a shared tablet',
    description:
      'Staff work there with their PINs, and the caller is signed out of it. Requires the caller’s password.',
    successStatus: 201,
  })
    .input(openDeviceInput)
    .errors(refusals('WRONG_PASSWORD', 'NO_PASSWORD', 'BROWSER_NEEDED', 'TOO_MANY_DEVICES'))
    .output(z.object({ id })),
  end: DELETE('/bar-devices/{id}', { summary: 'Sign out a shared tablet and the person working there' })
    .input(z.strictObject({ id }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ ended: z.literal(true) })),
  getCurrent: GET('/bar-device', {
    summary: 'List who can work on this tablet',
    description: 'Null in any other browser.',
  }).output(
    z.object({
      device: z
        .object({ name: z.string(), idle_minutes: z.number().int(), people: z.array(person) })
        .nullable(),
    }),
  ),
  switchIn: POST('/bar-device/person', {
    summary: 'Work on this tablet, with a PIN',
    description: 'The person who worked there before is signed out.',
  })
    .input(switchInInput)
    .errors(refusals('WRONG_PIN', 'PIN_LOCKED'))
    .output(z.object({ ok: z.literal(true) })),
  stay: PUT('/bar-device/person', {
    summary: 'Say that this tablet is in use',
    description: 'Restarts its idle minutes. Does nothing in any other browser.',
  }).output(z.object({ ok: z.literal(true) })),
  switchOut: DELETE('/bar-device/person', { summary: 'Go back to the PINs of this tablet' }).output(
    z.object({ ok: z.literal(true) }),
  ),
  getPin: GET('/staff-pin', { summary: 'Get whether the caller has a PIN, and whether it is locked' }).output(
    z.object({ set: z.boolean(), locked: z.boolean() }),
  ),
  setPin: PUT('/staff-pin', {
    summary: 'Choose the caller’s PIN',
    description: 'Requires the caller’s password.',
  })
    .input(setPinInput)
    .errors(refusals('PIN_EASY', 'WRONG_PASSWORD', 'NO_PASSWORD'))
    .output(z.object({ ok: z.literal(true) })),
  removePin: DELETE('/team/{user_id}/pin', {
    summary: 'Remove a PIN',
    description: 'For example one that is locked. Its owner chooses another one.',
  })
    .input(z.strictObject({ user_id: id }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ removed: z.literal(true) })),
};
