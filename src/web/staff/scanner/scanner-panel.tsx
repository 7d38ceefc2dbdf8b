import CircleCheck from 'lucide-react/icons/circle-check';
import Flashlight from 'lucide-react/icons/flashlight';
import FlashlightOff from 'lucide-react/icons/flashlight-off';
import ScanLine from 'lucide-react/icons/scan-line';
import VideoOff from 'lucide-react/icons/video-off';
import X from 'lucide-react/icons/x';
import { useRef } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { tokenPreview } from './scanner-state.ts';
import { useScanner } from './use-scanner.ts';
import { Viewfinder } from './viewfinder.tsx';

interface ScannerPanelProps {
  onDecoded: (text: string) => void;
  onClose: () => void;
}

export function ScannerPanel({ onDecoded, onClose }: ScannerPanelProps) {
  const video = useRef<HTMLVideoElement>(null);
  const { state, torch, capture, retry } = useScanner(video, onDecoded);
  const { phase, detected, unreadable } = state;
  const running = detected === null ? 'scanning' : 'detected';
  const view = phase === 'starting' || phase === 'denied' ? phase : running;
  const busy = phase === 'capturing' || phase === 'done' || state.pressed;

  return (
    <Card
      padding="plain"
      className="overflow-hidden lying:grid lying:w-[66vw] lying:grid-cols-[minmax(0,1fr)_15rem] lying:grid-rows-[auto_1fr]"
    >
      <div className="flex items-center gap-1 py-1.5 pr-2 pl-5 lying:col-start-2">
        <h2 className="flex-1 text-xl">Scan QR Code</h2>
        {torch && (
          <IconButton
            label={torch.on ? 'Turn the light off' : 'Turn the light on'}
            icon={
              torch.on ? (
                <FlashlightOff size={22} aria-hidden="true" />
              ) : (
                <Flashlight size={22} aria-hidden="true" />
              )
            }
            onClick={torch.toggle}
          />
        )}
        <IconButton label="Close scanner" icon={<X size={24} aria-hidden="true" />} onClick={onClose} />
      </div>
      <Viewfinder videoRef={video} state={view}>
        {phase === 'denied' ? (
          <div role="alert" className="flex flex-col items-center gap-4 p-6 text-center">
            <VideoOff size={40} aria-hidden="true" />
            <p className="font-semibold text-lg">Camera access denied. Please enable camera permissions.</p>
            <Button size="lg" onClick={retry}>
              Try Again
            </Button>
          </div>
        ) : (
          detected !== null && (
            <Badge
              tone="positive"
              icon={<CircleCheck size={16} aria-hidden="true" />}
              className="short:hidden lying:hidden text-sm"
            >
              QR Code Detected!
            </Badge>
          )
        )}
      </Viewfinder>
      {phase !== 'denied' && (
        <div className="flex flex-col justify-between gap-3 p-4 lying:col-start-2">
          <div className="grid min-h-18 content-center text-center">
            {unreadable ? (
              <Notice tone="danger" role="alert" className="text-left">
                Could not read QR code. Please try again or adjust lighting.
              </Notice>
            ) : (
              <p role="status" className="text-balance text-sm">
                {detected === null
                  ? 'Position the QR code within the frame and click the button'
                  : 'QR code detected! Click "Capture & Scan" to verify.'}
                {detected !== null && (
                  <span className="mt-1 block font-code text-ink-muted text-xs">
                    {tokenPreview(detected)}
                  </span>
                )}
              </p>
            )}
          </div>
          <Button
            size="lg"
            block
            className="min-h-20 short:min-h-14 lying:min-h-16 lying:px-3 lying:text-base max-[24rem]:text-base max-[22rem]:px-1.5"
            busy={busy}
            busyLabel="Processing..."
            disabled={busy}
            icon={<ScanLine size={28} aria-hidden="true" />}
            onClick={capture}
          >
            Capture & Scan QR Code
          </Button>
        </div>
      )}
    </Card>
  );
}
