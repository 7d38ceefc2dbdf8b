import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface StatTileProps {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  className?: string;
}

export function StatTile({ label, value, note, className }: StatTileProps) {
  return (
    <div
      className={classNames(
        'flex flex-col gap-1 rounded-lg border border-line bg-surface p-4 sm:p-5 max-[24rem]:p-3',
        className,
      )}
    >
      <p className="text-ink-muted text-sm">{label}</p>
      <p className="font-title text-2xl tabular-nums max-[24rem]:whitespace-nowrap max-[24rem]:text-xl">
        {value}
      </p>
      {note && <p className="text-ink-muted text-sm">{note}</p>}
    </div>
  );
}
