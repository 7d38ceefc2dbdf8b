import type { ReactNode } from 'react';
import { useDeviceSetting } from '../api/device-setting.ts';
import { Card } from '../ui/card.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { type Theme, themeSetting } from '../ui/theme.ts';

const OPTIONS = [
  { value: 'system', label: 'Match system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Settings of this device, shared by everyone who signs in on it. */
export function DeviceCard({ hint, children }: { hint?: string; children?: ReactNode }) {
  const theme = useDeviceSetting(themeSetting);
  return (
    <Card title="This Device" className="flex flex-col gap-4">
      <SelectField
        label="Colors"
        className="sm:max-w-xs"
        hint={hint}
        options={OPTIONS}
        value={theme}
        onChange={(event) => themeSetting.write(event.target.value as Theme)}
      />
      {children}
    </Card>
  );
}
