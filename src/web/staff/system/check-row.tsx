import type { Health } from '../../../domain/monitoring/system-status.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Check } from './check-text.ts';

const LOOKS = {
  well: { shape: 'done', color: 'text-positive', tone: 'positive', label: 'OK' },
  attention: { shape: 'caution', color: 'text-warning', tone: 'warning', label: 'Needs attention' },
  failing: { shape: 'alert', color: 'text-danger', tone: 'danger', label: 'Not working' },
  unknown: { shape: 'info', color: 'text-ink-muted', tone: 'neutral', label: 'Unknown' },
} as const satisfies Record<Health, { shape: string; color: string; tone: Tone; label: string }>;

export function CheckRow({ check: { name, health, text, next, facts } }: { check: Check }) {
  const { shape, color, tone, label } = LOOKS[health ?? 'unknown'];
  return (
    <li className="grid grid-cols-[auto_1fr] gap-x-3 px-5 py-4 sm:gap-x-4 sm:px-7">
      <Icon shape={shape} size={22} className={classNames('mt-0.5', color)} />
      <div className="min-w-0 @4xl:grid @4xl:grid-rows-[auto_1fr] @4xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_8.5rem] @4xl:gap-x-6">
        <div className="flex @4xl:contents flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 className="font-semibold font-text text-base">{name}</h2>
          {health && (
            <span className="@4xl:col-start-3 @4xl:row-start-1 @4xl:justify-self-end">
              <Badge tone={tone}>{label}</Badge>
            </span>
          )}
        </div>
        <div className="mt-0.5 @4xl:col-start-1">
          <p className="break-words">{text}</p>
          {facts.length > 0 && (
            <p className="mt-0.5 flex flex-wrap gap-x-5 text-ink-muted text-sm">
              {facts.map((fact) => (
                <span key={fact}>{fact}</span>
              ))}
            </p>
          )}
        </div>
        {next && (
          <p className="mt-2.5 self-start rounded-md bg-surface-sunken px-3.5 py-2.5 text-sm @4xl:col-start-2 @4xl:row-span-2 @4xl:row-start-1 @4xl:mt-0">
            {next}
          </p>
        )}
      </div>
    </li>
  );
}
