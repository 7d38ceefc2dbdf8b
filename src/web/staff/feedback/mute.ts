import { deviceSetting } from '../../api/device-setting.ts';

/** No sound and no vibration on this device. */
export const muted = deviceSetting('cellar-door:muted', (kept) => kept === true);
