import { useQuery } from '@tanstack/react-query';
import { approvedTier } from '../../../domain/application.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import { orpc } from '../../api/client.ts';
import { priceNote, tierPrice } from '../../format/money.ts';
import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';

/** The tier the applicant chose. A deleted tier still shows its name. */
export function SelectedTierCard({ tier }: { tier: string | null }) {
  const tier_name = approvedTier(tier);
  const query = useQuery(orpc.tiers.get.queryOptions({ input: { tier_name } }));
  const definition = query.data;
  return (
    <Card>
      <p className="eyebrow text-brass-text">Selected Tier</p>
      <div className="mt-1 flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-2xl">{definition?.display_name ?? tierLabel(tier_name)}</h2>
        {definition && (
          <p className="text-lg">
            <span className="font-title text-2xl tabular-nums">{tierPrice(definition.monthly_price)}</span>
            <span className="text-ink-muted text-sm"> / month{priceNote && ` ${priceNote}`}</span>
          </p>
        )}
      </div>
      {query.isPending && <Skeleton className="mt-3 h-16" />}
      {definition && (
        <>
          <p className="mt-2">{definition.description}</p>
          <p className="mt-3 flex items-baseline justify-between border-line border-t pt-3">
            <span className="text-ink-muted text-sm">Monthly Pours</span>
            <span className="font-title text-2xl tabular-nums">{definition.monthly_pours}</span>
          </p>
        </>
      )}
    </Card>
  );
}
