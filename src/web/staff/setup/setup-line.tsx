import type { ReactNode } from 'react';
import { Badge, type Tone } from '../../ui/badge.tsx';

interface SetupLineProps {
  tone: Tone;
  label: string;
  children: ReactNode;
}

/** A line about Stripe, with a word that says how it stands. */
export function SetupLine({ tone, label, children }: SetupLineProps) {
  return (
    <li className="flex flex-col items-start gap-1">
      <Badge tone={tone}>{label}</Badge>
      <span className="max-w-full break-words">{children}</span>
    </li>
  );
}
