import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface PictureProps {
  className?: string;
}

function Picture({ className, children }: PictureProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 96 96"
      width="96"
      height="96"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      className={classNames('text-ink-muted', className)}
    >
      {children}
    </svg>
  );
}

export function LockedDoorPicture(props: PictureProps) {
  return (
    <Picture {...props}>
      <path d="M20 86V40a28 28 0 0 1 56 0v46" />
      <path d="M27 86V41a21 21 0 0 1 42 0v45" />
      <path d="M48 20v66M27 58h14M55 58h14M12 86h72" />
      <circle cx="48" cy="60" r="7" className="fill-background stroke-brass" />
      <path d="M48 59v5" className="stroke-brass" />
    </Picture>
  );
}

export function EmptyGlassPicture(props: PictureProps) {
  return (
    <Picture {...props}>
      <path d="M32 12h32c3 24-2 38-16 38S29 36 32 12Z" />
      <path d="M48 50v32M34 84c4-2 8-2.5 14-2.5S58 82 62 84" />
      <path d="M31 26h34" className="stroke-brass" strokeDasharray="1 5" />
    </Picture>
  );
}

export function TippedGlassPicture(props: PictureProps) {
  return (
    <Picture {...props}>
      <g transform="rotate(86 48 52)">
        <path d="M34 10h28c3 21-1 33-14 33S31 31 34 10Z" />
        <path d="M48 43v28M37 73c3-1.5 7-2 11-2s8 .5 11 2" />
      </g>
      <path d="M8 68h84" />
      <path d="M66 76h16M74 82h8" className="stroke-brass" />
    </Picture>
  );
}

export function EnvelopePicture(props: PictureProps) {
  return (
    <Picture {...props}>
      <path d="M16 30h64v44H16Z" />
      <path d="m16 32 32 24 32-24M16 73l23-24M80 73 57 49" />
      <circle cx="48" cy="57" r="6" className="fill-background stroke-brass" />
    </Picture>
  );
}

export function GuestListPicture(props: PictureProps) {
  return (
    <Picture {...props}>
      <path d="M24 14h48v70H24Z" />
      <path d="M34 34h28M34 46h28M34 58h18" />
      <path d="M40 10h16v9H40Z" className="fill-background stroke-brass" />
    </Picture>
  );
}
