import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';

interface SetupLineProps {
  tone: Tone;
  label: string;
  children: ReactNode;
}

/** A finding about Stripe, with a word for its state. */
export function SetupLine({ tone, label, children }: SetupLineProps) {
  return (
    <li className="flex flex-col items-start gap-1 sm:grid sm:grid-cols-[8rem_minmax(0,1fr)] sm:items-baseline sm:justify-items-start">
      <Badge tone={tone}>{label}</Badge>
      <span className="max-w-full break-words first-letter:uppercase">{children}</span>
    </li>
  );
}
