import type { ReactNode } from 'react';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { Glasses } from './glasses.tsx';

interface PoursMeterProps {
  available: number;
  max: number;
  used: number;
  usedRolledOver?: number;
  /** Given to guests and not poured yet. */
  held?: number;
  /** The source of the available pours, if the number alone does not say it. */
  from?: string;
  note?: ReactNode;
}

export function PoursMeter({
  available,
  max,
  used,
  usedRolledOver = 0,
  held = 0,
  from,
  note,
}: PoursMeterProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-baseline gap-2.5 font-title tabular-nums">
        <span className="text-5xl">{available}</span> <span className="text-2xl text-ink-muted">/ {max}</span>
      </p>
      {from && <p className="-mt-2 text-sm">{from}</p>}
      {max > 0 && <Glasses available={available} max={Math.max(available, max)} />}
      <ProgressBar
        label="Pours remaining"
        value={available}
        max={max}
        valueText={
          available > max
            ? `${available} pours remaining, the tier gives ${max}`
            : `${available} of ${max} pours remaining`
        }
      />
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 text-ink-muted text-sm">
        <p>
          {used} used this billing period
          {usedRolledOver > 0 && (
            <span className="block">
              {usedRolledOver === used
                ? 'Rolled over from last month'
                : `${usedRolledOver} of them rolled over`}
            </span>
          )}
          {held > 0 && (
            <span className="block">{held === 1 ? '1 held for a guest' : `${held} held for guests`}</span>
          )}
        </p>
        {note && <p>{note}</p>}
      </div>
    </div>
  );
}
