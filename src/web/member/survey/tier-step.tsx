import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { TierDefinition } from '../../../contract/tiers.ts';
import {
  subscriptionAgreement,
  subscriptionCharge,
  subscriptionConsent,
  yearConsent,
} from '../../../domain/consent.ts';
import { pourCount } from '../../../domain/pour.ts';
import { orpc } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { Crest } from '../../brand/crest.tsx';
import { tierStyle } from '../../brand/tier-style.ts';
import { glassPrice, priceNote, tierCharge, tierPrice } from '../../format/money.ts';
import { tierHolds } from '../../format/tier-holds.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLogged } from '../../ui/use-logged.ts';
import { type Period, PeriodChoice, periodOf } from '../../visitor/period-choice.tsx';
import { LegalLinks } from '../../visitor/public-pages/legal-links.tsx';
import { type SurveyVisit, wordsKey } from './use-survey.ts';

export function TierStep({ survey, chosenTier }: { survey: SurveyVisit; chosenTier: string | null }) {
  const {
    data: tiers,
    error,
    isFetching,
    refetch,
  } = useQuery({
    ...orpc.tiers.list.queryOptions(),
    staleTime: 60_000,
  });
  useLogged('Loading tiers', error);
  const agreementId = useId();

  return (
    <>
      {tiers && tiers.length > 0 ? (
        <>
          {site.payments === 'on' && <ConsentText words={subscriptionAgreement(site)} id={agreementId} />}
          <div className="grid gap-3 sm:grid-cols-2 sm:gap-6 lg:grid-cols-4 lg:gap-4">
            {tiers.map((tier) => (
              <TierCard
                key={tier.tier_name}
                tier={tier}
                survey={survey}
                chosen={tier.tier_name === chosenTier}
                agreementId={agreementId}
              />
            ))}
          </div>
        </>
      ) : tiers || error ? (
        <EmptyState
          picture={<EmptyGlassPicture />}
          title={tiers ? 'No memberships available right now' : 'The memberships have not loaded yet'}
          text="Your answers are saved. Please check again in a moment."
          action={
            <Button variant="secondary" busy={isFetching} onClick={() => void refetch()}>
              Check Again
            </Button>
          }
        />
      ) : (
        <div role="status" className="grid gap-3 sm:grid-cols-2 sm:gap-6 lg:grid-cols-4 lg:gap-4">
          <span className="sr-only">Loading</span>
          {['first', 'second', 'third', 'fourth'].map((place) => (
            <Skeleton key={place} className="h-72 rounded-lg" />
          ))}
        </div>
      )}
      <div>
        <Button
          variant="secondary"
          onClick={survey.goBack}
          disabled={survey.phase === 'leaving'}
          className="w-full sm:w-auto"
        >
          Previous
        </Button>
      </div>
      <LegalLinks newTab />
    </>
  );
}

interface TierCardProps {
  tier: TierDefinition;
  survey: SurveyVisit;
  chosen: boolean;
  /** The element with what every tier's button agrees to. */
  agreementId: string;
}

/** Pressing the button is the consent. While payments are off it only saves. */
function TierCard({ tier, survey, chosen, agreementId }: TierCardProps) {
  const id = useId();
  const chargeId = useId();
  const busy = survey.phase === 'leaving';
  const [chosenPeriod, setPeriod] = useState<Period>('month');
  const yearly = tier.yearly_price;
  const period = periodOf(tier, chosenPeriod);
  const isYear = yearly !== null && period === 'year';
  const offer = { tier: tier.display_name, price: tierCharge(isYear ? yearly : tier.monthly_price) };
  const currentWords = survey.currentWords[wordsKey(tier.tier_name, period)];
  const yearWords = isYear ? yearConsent(site, offer) : null;
  const shownWords = currentWords ?? yearWords;
  const aGlass = glassPrice(tier.monthly_price, tier.monthly_pours);
  const atVenue = site.payments === 'off';
  const look = tierStyle(tier.tier_name);
  return (
    <article
      aria-labelledby={id}
      className="flex flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-card"
    >
      <header
        className={classNames(
          'flex items-center justify-between gap-3 border-line border-b px-4 py-1.5 sm:px-6 sm:py-4 lg:px-5',
          look.paper,
        )}
      >
        <h2 id={id} className="text-xl sm:text-2xl">
          {tier.display_name}
        </h2>
        <Crest className={classNames('ml-auto h-7 w-auto shrink-0 sm:h-10', look.crest)} />
      </header>
      <div className="flex flex-1 flex-col gap-2 px-4 py-3 sm:gap-4 sm:p-6 lg:p-5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 sm:flex-col sm:items-start">
          <p className="tabular-nums">
            <span className="font-title text-2xl sm:text-3xl">{tierPrice(tier.monthly_price)}</span>{' '}
            <span className="text-ink-muted">per month{priceNote && ` ${priceNote}`}</span>
          </p>
          <p className="font-semibold">{pourCount(tier.monthly_pours)} per month</p>
          {tierHolds(tier).map((line) => (
            <p key={line} className="text-sm">
              {line}
            </p>
          ))}
          {aGlass && <p className="text-ink-muted text-sm tabular-nums">{aGlass} a glass</p>}
          {tier.is_featured && <Badge tone="brass">Recommended</Badge>}
        </div>
        <p className="text-ink-muted text-sm sm:text-base">{tier.description}</p>
        {chosen && (
          <p>
            <Badge tone="brass">Your current choice</Badge>
          </p>
        )}
        <div className="mt-auto flex flex-col gap-3">
          <PeriodChoice tier={tier} period={period} onChoose={setPeriod} atVenue={atVenue} />
          {!atVenue &&
            (shownWords ? (
              <ConsentText words={shownWords} id={chargeId} />
            ) : (
              <p id={chargeId} className="text-pretty text-ink-muted text-sm">
                {subscriptionCharge(offer)}
              </p>
            ))}
          <Button
            block
            className="lg:px-2"
            busy={busy}
            aria-describedby={atVenue ? id : `${id} ${chargeId}${isYear ? '' : ` ${agreementId}`}`}
            onClick={() => {
              const words = shownWords ?? subscriptionConsent(site, offer);
              void (atVenue
                ? survey.payAtVenue(tier.tier_name)
                : survey.goToPayment(tier.tier_name, period, words.version));
            }}
          >
            {atVenue ? 'Pay at the Venue' : 'Continue to Payment'}
          </Button>
        </div>
      </div>
    </article>
  );
}
