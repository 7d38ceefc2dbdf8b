import { Volume2, VolumeX } from 'lucide-react';
import { useDeviceSetting } from '../../api/device-setting.ts';
import { Button } from '../../ui/button.tsx';
import { muted } from './mute.ts';

export function MuteButton() {
  const silent = useDeviceSetting(muted);
  const Icon = silent ? VolumeX : Volume2;
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-pressed={!silent}
      icon={<Icon size={18} aria-hidden="true" />}
      onClick={() => muted.write(!silent)}
    >
      Sound
    </Button>
  );
}
