import { useId } from 'react';
import type { TierDefinition } from '../../../contract/tiers.ts';
import { pourCount } from '../../../domain/pour.ts';
import { priceNote, tierPrice } from '../../format/money.ts';
import { tierHolds } from '../../format/tier-holds.ts';

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
      {tiers.map((tier) => (
        <label
          key={tier.tier_name}
          className="flex min-h-12 cursor-pointer items-center gap-3 rounded-md border border-line bg-surface px-4 py-2.5 has-checked:border-accent has-checked:bg-accent-soft"
        >
          <input
            type="radio"
            name={name}
            value={tier.tier_name}
            checked={chosen === tier.tier_name}
            onChange={() => onChoose(tier.tier_name)}
            className="size-5 shrink-0 accent-accent"
          />
          <span className="flex flex-1 flex-wrap items-baseline justify-between gap-x-4">
            <span className="font-semibold">{tier.display_name}</span>
            <span className="text-ink-muted text-sm tabular-nums">
              {tierPrice(tier.monthly_price)} a month{priceNote && ` ${priceNote}`},{' '}
              {pourCount(tier.monthly_pours)}
            </span>
            {tierHolds(tier).map((line) => (
              <span key={line} className="w-full text-ink-muted text-sm">
                {line}
              </span>
            ))}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
