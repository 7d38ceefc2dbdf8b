import { useId } from 'react';
import type { TierDefinition } from '../../../contract/tiers.ts';
import { pourCount } from '../../../domain/pour.ts';
import { Crest } from '../../brand/crest.tsx';
import { tierStyle } from '../../brand/tier-style.ts';
import { formatDollars } from '../../format/money.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';

interface TierCardProps {
  tier: TierDefinition;
  /** The one chosen before. */
  chosen: boolean;
  busy: boolean;
  onChoose: () => void;
}

export function TierCard({ tier, chosen, busy, onChoose }: TierCardProps) {
  const id = useId();
  const look = tierStyle(tier.tier_name);
  return (
    <article
      aria-labelledby={id}
      className="flex flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-card"
    >
      <header className={classNames('flex items-center justify-between gap-3 px-5 py-4 sm:px-6', look.paper)}>
        <h2 id={id} className="text-2xl">
          {tier.display_name}
        </h2>
        <Crest className={classNames('h-10 w-auto shrink-0', look.crest)} />
      </header>
      <div className="flex flex-1 flex-col gap-4 p-5 sm:p-6">
        <div>
          <p className="tabular-nums">
            <span className="font-title text-3xl">{formatDollars(tier.monthly_price)}</span>{' '}
            <span className="text-ink-muted">per month</span>
          </p>
          <p className="mt-1 font-semibold">{pourCount(tier.monthly_pours)} per month</p>
        </div>
        <p className="text-ink-muted">{tier.description}</p>
        {chosen && (
          <p>
            <Badge tone="brass">Your current choice</Badge>
          </p>
        )}
        <Button block className="mt-auto" busy={busy} aria-describedby={id} onClick={onChoose}>
          Continue to Payment
        </Button>
      </div>
    </article>
  );
}
