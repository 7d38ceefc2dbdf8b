import { useId } from 'react';
import type { TierDefinition } from '../../../contract/tiers.ts';
import { pourCount } from '../../../domain/pour.ts';
import { priceNote, tierPrice } from '../../format/money.ts';
import { peopleText } from '../../format/people-text.ts';
import { rolloverPromise } from '../../format/rollover-text.ts';

interface TierChoiceProps {
  tiers: TierDefinition[];
  chosen: string | null;
  disabled: boolean;
  onChoose: (tier: string) => void;
}

export function TierChoice({ tiers, chosen, disabled, onChoose }: TierChoiceProps) {
  const name = useId();
  return (
    <fieldset disabled={disabled} className="flex flex-col gap-2 lying:grid lying:grid-cols-2">
      <legend className="sr-only">Tier</legend>
      {tiers.map(({ tier_name, display_name, monthly_price, monthly_pours, people, rollover_glasses }) => (
        <label
          key={tier_name}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-line bg-surface px-4 py-2.5 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={name}
            value={tier_name}
            checked={chosen === tier_name}
            onChange={() => onChoose(tier_name)}
            className="size-5 shrink-0 accent-accent"
          />
          <span className="flex flex-1 flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-semibold">{display_name}</span>
            <span className="text-ink-muted text-sm tabular-nums">
              {tierPrice(monthly_price)} a month{priceNote && ` ${priceNote}`}, {pourCount(monthly_pours)}
            </span>
            {people > 1 && <span className="w-full text-ink-muted text-sm">{peopleText(people)}</span>}
            {rollover_glasses > 0 && (
              <span className="w-full text-ink-muted text-sm">{rolloverPromise(rollover_glasses)}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
