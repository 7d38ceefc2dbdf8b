import { DeviceCard } from '../../account/device-card.tsx';
import { startInScanner, useDeviceSetting } from '../../api/device-setting.ts';

/** Settings for a phone or tablet that stays at the bar. */
export function BarDeviceCard() {
  const starts = useDeviceSetting(startInScanner);
  return (
    <DeviceCard hint="The scanner and the pour page are dark unless you choose Light.">
      <label className="target flex items-center gap-3">
        <input
          type="checkbox"
          className="size-5 accent-accent"
          checked={starts}
          onChange={(event) => startInScanner.write(event.target.checked)}
        />
        Start in the scanner after signing in
      </label>
    </DeviceCard>
  );
}
