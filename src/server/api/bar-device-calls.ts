import * as barDevices from '../auth/bar-devices/bar-devices.ts';
import * as staffPin from '../auth/bar-devices/staff-pin.ts';
import { allow, clearEndedSession, everyone, os, verb } from './authorize.ts';

/** Shared tablets and PINs: the part of the router for staff who work at one device. */
export const barDeviceCalls = {
  list: os.barDevices.list.use(allow.manageStaff).handler(verb(barDevices.listDevices)),
  open: os.barDevices.open.use(clearEndedSession).use(allow.manageStaff).handler(verb(barDevices.openDevice)),
  end: os.barDevices.end.use(allow.manageStaff).handler(verb(barDevices.endDevice)),
  getCurrent: os.barDevices.getCurrent.use(everyone).handler(verb(barDevices.getCurrentDevice)),
  switchIn: os.barDevices.switchIn.use(everyone).handler(verb(barDevices.switchIn)),
  stay: os.barDevices.stay.use(everyone).handler(verb(barDevices.stay)),
  switchOut: os.barDevices.switchOut.use(everyone).handler(verb(barDevices.switchOut)),
  getPin: os.barDevices.getPin.use(allow.staffPin).handler(verb(staffPin.getPin)),
  setPin: os.barDevices.setPin.use(allow.staffPin).handler(verb(staffPin.setPin)),
  removePin: os.barDevices.removePin.use(allow.manageStaff).handler(verb(staffPin.removePin)),
};
