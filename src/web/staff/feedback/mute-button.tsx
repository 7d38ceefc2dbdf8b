import Volume2 from 'lucide-react/icons/volume-2';
import VolumeX from 'lucide-react/icons/volume-x';
import { useDeviceSetting } from '../../api/device-setting.ts';
import { Button } from '../../ui/button.tsx';
import { muted } from './feedback.ts';

export function MuteButton() {
  const silent = useDeviceSetting(muted);
  const Icon = silent ? VolumeX : Volume2;
  return (
    <Button
      variant="quiet"
      size="sm"
      // A phone in landscape has little room beside the back link.
      className="lying:[&>span]:sr-only"
      aria-pressed={!silent}
      icon={<Icon size={18} />}
      onClick={() => muted.write(!silent)}
    >
      Sound
    </Button>
  );
}
