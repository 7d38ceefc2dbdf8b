import { Volume2, VolumeX } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { setMuted, useMuted } from './mute.ts';

/** Turns sound and vibration on this device on or off. */
export function MuteButton() {
  const muted = useMuted();
  const Icon = muted ? VolumeX : Volume2;
  return (
    <Button
      variant="quiet"
      size="sm"
      aria-pressed={!muted}
      icon={<Icon size={18} aria-hidden="true" />}
      onClick={() => setMuted(!muted)}
    >
      Sound
    </Button>
  );
}
