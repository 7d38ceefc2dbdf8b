import type { ReactNode, RefObject } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Spinner } from '../../ui/spinner.tsx';

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

/** The camera preview, always the same size, with a square to hold the code in. */
export function Viewfinder({ videoRef, state, children }: ViewfinderProps) {
  const color = state === 'detected' ? 'border-positive-fill' : 'border-accent';
  return (
    <div
      className={classNames(
        'relative grid w-full place-items-center overflow-hidden bg-black text-white lying:col-start-1 lying:row-span-2 lying:row-start-1',
        // The instructions for a missing camera are never cut off.
        state === 'denied'
          ? 'min-h-[37dvh] lying:min-h-[calc(100dvh-var(--above-page,0px)-2.25rem)]'
          : 'h-[min(100vw,37dvh)] [@media(height<40rem)_and_(orientation:portrait)]:h-[28dvh] lying:h-[calc(100dvh-var(--above-page,0px)-2.25rem)]',
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
