import ChevronDown from 'lucide-react/icons/chevron-down';
import type { ReactNode } from 'react';
import { pourCount } from '../../domain/pour.ts';
import { DescriptionList } from '../ui/description-list.tsx';
import { ProgressBar } from '../ui/progress-bar.tsx';
import { Glasses } from './glasses.tsx';

interface PoursMeterProps {
  available: number;
  max: number;
  used: number;
  usedRolledOver?: number;
  /** Used in an earlier month and still owed, in words. */
  usedBefore?: string | false;
  /** Given to guests and not poured yet. */
  held?: number;
  /** The source of the available pours, if the number alone does not say it. */
  from?: string;
  /** Pours of this period that are not there yet, in words. */
  toCome?: string | false;
  /** Until when the pours last. */
  note?: ReactNode;
}

/** The pours of a period: those left, used and held; at least what the tier gives. The row and the bar show this many. */
export const poursInAll = (available: number, used: number, held: number, max: number): number =>
  Math.max(max, available + used + held);

export function PoursMeter({
  available,
  max,
  used,
  usedRolledOver = 0,
  usedBefore,
  held = 0,
  from,
  toCome,
  note,
}: PoursMeterProps) {
  const all = poursInAll(available, used, held, max);
  const rest = [
    { term: 'Left', detail: from },
    {
      term: 'Used',
      detail: [usedRolledOver > 0 && `${usedRolledOver} rolled over from last month`, usedBefore]
        .filter(Boolean)
        .join(', '),
    },
    { term: 'For guests', detail: held > 0 && `${held} held` },
    { term: 'To come', detail: toCome },
  ].filter(({ detail }) => detail);
  const usedText = `${used} used this billing period`;
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-baseline gap-2.5 font-title tabular-nums">
        <span className="text-5xl">{available}</span> <span className="text-2xl text-ink-muted">/ {max}</span>
      </p>
      {all > max && (
        <p className="-mt-2 text-sm">
          {available} of {all} left. Your tier gives {pourCount(max)} a month.
        </p>
      )}
      {max > 0 && <Glasses available={available} max={all} />}
      <ProgressBar
        label="Pours remaining"
        value={available}
        max={all}
        valueText={`${available} of ${all} pours remaining`}
      />
      <div className="flex flex-wrap justify-between gap-x-6 gap-y-1 text-ink-muted text-sm">
        {note && <p>{note}</p>}
        {rest.length === 0 ? (
          <p>{usedText}</p>
        ) : (
          <details className="group open:w-full">
            <summary className="-my-3 flex min-h-11 w-fit cursor-pointer items-center gap-1.5 text-accent-text">
              {usedText}
              <ChevronDown
                size={16}
                aria-hidden="true"
                className="group-open:rotate-180 motion-safe:transition-transform"
              />
            </summary>
            <DescriptionList dense className="mt-3 text-ink" items={rest} />
          </details>
        )}
      </div>
    </div>
  );
}
