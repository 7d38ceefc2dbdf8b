import CircleCheck from 'lucide-react/icons/circle-check';
import Flashlight from 'lucide-react/icons/flashlight';
import FlashlightOff from 'lucide-react/icons/flashlight-off';
import ScanLine from 'lucide-react/icons/scan-line';
import VideoOff from 'lucide-react/icons/video-off';
import X from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectControl } from '../../ui/select-field.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { CameraProblem } from './camera.ts';
import { tokenPreview } from './scanner-state.ts';
import { useScanner } from './use-scanner.ts';

interface ScannerPanelProps {
  onDecoded: (text: string) => void;
  onClose: () => void;
}

/** The cause, and what to do. */
const PROBLEM_TEXTS: Record<CameraProblem, string> = {
  blocked:
    'The camera is blocked for this page. Allow it in the site’s settings, behind the icon beside the address, or in the phone’s settings for this browser.',
  none: 'No camera was found. Connect one, or enter the code by hand.',
  busy: 'Another app may be using the camera. Close it, then try again.',
  insecure: 'The page was opened without HTTPS, so the browser gives it no camera. Use the https:// address.',
  unsupported: 'This browser gives pages no camera. Open the page in Safari, Chrome or Firefox.',
  stopped: 'Another app took the camera, or it was unplugged. Try again.',
  unknown: 'The camera did not start. Try again, or close the browser and open it again.',
};

export function ScannerPanel({ onDecoded, onClose }: ScannerPanelProps) {
  const video = useRef<HTMLVideoElement>(null);
  const { state, torch, cameras, chooseCamera, capture, retry } = useScanner(video, onDecoded);
  const { phase, detected, unreadable, several, problem } = state;
  const hint = several && <span className="mt-1 block font-semibold">Two codes in view. Show only one.</span>;
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
        {cameras.options.length > 1 && (
          <SelectControl
            aria-label="Camera"
            value={cameras.current}
            onChange={(event) => chooseCamera(event.target.value)}
            options={cameras.options.map(({ id, label }) => ({ value: id, label }))}
            arrow="right-2"
            className="min-h-11 w-36 lying:w-24 truncate rounded-md border border-line-strong bg-surface-raised pr-7 pl-2.5 text-sm"
          />
        )}
        {torch && (
          <IconButton
            label={torch.on ? 'Turn the light off' : 'Turn the light on'}
            icon={torch.on ? <FlashlightOff size={22} /> : <Flashlight size={22} />}
            onClick={torch.toggle}
          />
        )}
        <IconButton label="Close scanner" icon={<X size={24} />} onClick={onClose} />
      </div>
      <Viewfinder videoRef={video} state={view}>
        {phase === 'denied' ? (
          <div role="alert" className="flex flex-col items-center gap-4 p-6 text-center">
            <VideoOff size={40} />
            <p className="font-semibold text-lg">Camera access denied. Please enable camera permissions.</p>
            {problem && <p className="max-w-narrow text-sm">{PROBLEM_TEXTS[problem]}</p>}
            <Button size="lg" onClick={retry}>
              Try Again
            </Button>
          </div>
        ) : (
          detected !== null && (
            <Badge
              tone="positive"
              icon={<CircleCheck size={16} />}
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
                {hint}
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
                {hint}
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
            icon={<ScanLine size={28} />}
            onClick={capture}
          >
            Capture & Scan QR Code
          </Button>
        </div>
      )}
    </Card>
  );
}

interface ViewfinderProps {
  videoRef: RefObject<HTMLVideoElement | null>;
  state: 'starting' | 'scanning' | 'detected' | 'denied';
  children: ReactNode;
}

const CORNERS = [
  '-top-0.5 -left-0.5 rounded-tl-lg border-t-[6px] border-l-[6px]',
  '-top-0.5 -right-0.5 rounded-tr-lg border-t-[6px] border-r-[6px]',
  '-bottom-0.5 -left-0.5 rounded-bl-lg border-b-[6px] border-l-[6px]',
  '-right-0.5 -bottom-0.5 rounded-br-lg border-r-[6px] border-b-[6px]',
];

function Viewfinder({ videoRef, state, children }: ViewfinderProps) {
  const color = state === 'detected' ? 'border-positive-fill' : 'border-accent';
  return (
    <div
      className={classNames(
        'relative grid w-full place-items-center overflow-hidden bg-black text-white lying:col-start-1 lying:row-span-2 lying:row-start-1',
        // The instructions for a missing camera are never cut off. On a laptop, the button below the panel is in sight.
        state === 'denied'
          ? 'min-h-[37dvh] lying:min-h-[calc(100dvh-var(--above-page,0px)-2.25rem)]'
          : 'h-[min(100vw,37dvh)] [@media(height<40rem)_and_(orientation:portrait)]:h-[28dvh] [@media(40rem<=height<64rem)_and_(48rem<=width<80rem)]:h-[clamp(9rem,100dvh-39rem,37dvh)] [@media(40rem<=height<64rem)_and_(width>=80rem)]:h-[clamp(9rem,100dvh-35.5rem,37dvh)] lying:h-[calc(100dvh-var(--above-page,0px)-2.25rem)]',
      )}
    >
      <video
        ref={videoRef}
        muted
        playsInline
        disablePictureInPicture
        aria-label="Camera preview"
        className="absolute inset-0 size-full object-cover"
      />
      {state !== 'denied' && (
        <div
          aria-hidden="true"
          data-detected={state === 'detected'}
          className={classNames(
            'pointer-events-none absolute aspect-square h-[78%] rounded-lg border-2 ring-2 ring-white/70 transition-colors',
            color,
          )}
        >
          {CORNERS.map((corner) => (
            <span key={corner} className={classNames('absolute size-12 transition-colors', corner, color)} />
          ))}
        </div>
      )}
      {state === 'starting' && <Spinner label="Starting camera" className="absolute" />}
      <div
        className={classNames(
          'relative z-10 flex size-full justify-center p-3',
          state === 'denied' ? 'items-center' : 'items-end',
        )}
      >
        {children}
      </div>
    </div>
  );
}
