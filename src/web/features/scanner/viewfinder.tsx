import type { ReactNode, RefObject } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { Spinner } from '../../ui/spinner.tsx';

interface ViewfinderProps {
  videoRef: RefObject<HTMLVideoElement | null>;
  starting: boolean;
  detected: boolean;
  children: ReactNode;
}

const corners = [
  'top-0 left-0 border-t-4 border-l-4 rounded-tl-lg',
  'top-0 right-0 border-t-4 border-r-4 rounded-tr-lg',
  'bottom-0 left-0 border-b-4 border-l-4 rounded-bl-lg',
  'right-0 bottom-0 border-r-4 border-b-4 rounded-br-lg',
];

/** The live picture, always of one size, with the frame to hold a code in. */
export function Viewfinder({ videoRef, starting, detected, children }: ViewfinderProps) {
  return (
    <div className="relative grid aspect-square w-full place-items-center overflow-hidden bg-black text-white">
      <video
        ref={videoRef}
        muted
        playsInline
        disablePictureInPicture
        aria-label="Camera preview"
        className="absolute inset-0 size-full object-cover"
      />
      <div
        aria-hidden="true"
        data-detected={detected}
        className={classNames(
          'pointer-events-none absolute inset-[14%] rounded-lg border-2 transition-colors',
          detected ? 'border-positive-fill' : 'border-accent',
        )}
      >
        {corners.map((corner) => (
          <span
            key={corner}
            className={classNames(
              'absolute size-10 transition-colors',
              corner,
              detected ? 'border-positive-fill' : 'border-accent',
            )}
          />
        ))}
      </div>
      {starting && <Spinner label="Starting camera" className="absolute" />}
      <div className="relative z-10 flex size-full items-end justify-center p-3 has-[[role=alert]]:items-center">
        {children}
      </div>
    </div>
  );
}
