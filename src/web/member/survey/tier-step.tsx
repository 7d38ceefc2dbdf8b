import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ConsentWords } from '../../../domain/consent.ts';
import { orpc } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { LegalLinks } from '../../visitor/public-pages/legal-links.tsx';
import { TierCard } from './tier-card.tsx';

interface TierStepProps {
  chosenTier: string | null;
  busy: boolean;
  /** The server's text by tier, if it refused the text shown. */
  currentWords: Record<string, ConsentWords>;
  onChoose: (tierName: string, consentVersion: string) => void;
  /** Called instead while payments are off. */
  onPayAtVenue: (tierName: string) => void;
  onPrevious: () => void;
}

export function TierStep({
  chosenTier,
  busy,
  currentWords,
  onChoose,
  onPayAtVenue,
  onPrevious,
}: TierStepProps) {
  const {
    data: tiers,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...orpc.tiers.list.queryOptions(),
    staleTime: 60_000,
  });
  useEffect(() => {
    if (error) logFailure('Loading tiers', error);
  }, [error]);

  return (
    <>
      {tiers && tiers.length > 0 ? (
        <div className="grid gap-3 sm:grid-cols-2 sm:gap-6 lg:grid-cols-4 lg:gap-4">
          {tiers.map((tier) => (
            <TierCard
              key={tier.tier_name}
              tier={tier}
              chosen={tier.tier_name === chosenTier}
              busy={busy}
              currentWords={currentWords[tier.tier_name] ?? null}
              onChoose={(version) => onChoose(tier.tier_name, version)}
              onPayAtVenue={() => onPayAtVenue(tier.tier_name)}
            />
          ))}
        </div>
      ) : tiers || error ? (
        <EmptyState
          picture={<EmptyGlassPicture />}
          title="No memberships available right now"
          text="Your answers are saved. Please check again in a moment."
          action={
            <Button variant="secondary" busy={isFetching} onClick={() => void refetch()}>
              Check Again
            </Button>
          }
        />
      ) : (
        <TiersSkeleton />
      )}
      <div>
        <Button variant="secondary" onClick={onPrevious} disabled={busy} className="w-full sm:w-auto">
          Previous
        </Button>
      </div>
      <LegalLinks newTab />
    </>
  );
}

function TiersSkeleton() {
  return (
    <div role="status" className="grid gap-3 sm:grid-cols-2 sm:gap-6 lg:grid-cols-4 lg:gap-4">
      <VisuallyHidden>Loading</VisuallyHidden>
      {['first', 'second', 'third', 'fourth'].map((place) => (
        <Skeleton key={place} className="h-72 rounded-lg" />
      ))}
    </div>
  );
}
