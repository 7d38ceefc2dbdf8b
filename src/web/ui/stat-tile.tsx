import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

interface StatTileProps {
  label: string;
  value: ReactNode;
  note?: ReactNode;
  icon?: ReactNode;
  strong?: boolean;
  className?: string;
}

export function StatTile({ label, value, note, icon, strong, className }: StatTileProps) {
  return (
    <div
      className={classNames(
        'flex flex-col gap-1 rounded-lg border p-4 sm:p-5 max-[24rem]:p-3',
        strong ? 'border-transparent bg-accent text-accent-ink' : 'border-line bg-surface',
        className,
      )}
    >
      <p className={classNames('flex items-center gap-2 text-sm', !strong && 'text-ink-muted')}>
        {icon}
        {label}
      </p>
      <p className="font-title text-2xl tabular-nums max-[24rem]:whitespace-nowrap max-[24rem]:text-xl">
        {value}
      </p>
      {note && <p className={classNames('text-sm', !strong && 'text-ink-muted')}>{note}</p>}
    </div>
  );
}
