import { useId, useState } from 'react';
import type { TierDefinition } from '../../../contract/tiers.ts';
import { type ConsentWords, subscriptionConsent } from '../../../domain/consent.ts';
import { pourCount } from '../../../domain/pour.ts';
import { site } from '../../api/site.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { Crest } from '../../brand/crest.tsx';
import { tierStyle } from '../../brand/tier-style.ts';
import { glassPrice, priceNote, tierCharge, tierPrice } from '../../format/money.ts';
import { peopleText } from '../../format/people-text.ts';
import { rolloverPromise } from '../../format/rollover-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { focusFirst } from '../../ui/modal.tsx';

interface TierCardProps {
  tier: TierDefinition;
  /** Whether this tier was chosen before. */
  chosen: boolean;
  busy: boolean;
  /** The server's text for beside the button, after it refused the text made here from the tier. */
  currentWords: ConsentWords | null;
  /** Called with the version of the text beside the button. */
  onChoose: (consentVersion: string) => void;
  onPayAtVenue: () => void;
}

/**
 * One tier; its button asks for consent, in words that name its price, before it leads to payment. While payments are off,
 * nothing is charged, and it saves the choice.
 */
export function TierCard({ tier, chosen, busy, currentWords, onChoose, onPayAtVenue }: TierCardProps) {
  const id = useId();
  const consentId = useId();
  const [asking, setAsking] = useState(false);
  const words =
    currentWords ??
    subscriptionConsent(site, {
      tier: tier.display_name,
      price: tierCharge(tier.monthly_price),
    });
  const people = peopleText(tier.people);
  const promise = rolloverPromise(tier.rollover_glasses);
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
          'flex items-center justify-between gap-3 border-line border-b px-4 py-1.5 sm:px-6 sm:py-4',
          look.paper,
        )}
      >
        <h2 id={id} className="text-xl sm:text-2xl">
          {tier.display_name}
        </h2>
        {tier.is_featured && <Badge tone="brass">Recommended</Badge>}
        <Crest className={classNames('ml-auto h-7 w-auto shrink-0 sm:h-10', look.crest)} />
      </header>
      <div className="flex flex-1 flex-col gap-2 px-4 py-3 sm:gap-4 sm:p-6">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 sm:flex-col sm:items-start">
          <p className="tabular-nums">
            <span className="font-title text-2xl sm:text-3xl">{tierPrice(tier.monthly_price)}</span>{' '}
            <span className="text-ink-muted">per month{priceNote && ` ${priceNote}`}</span>
          </p>
          <p className="font-semibold">{pourCount(tier.monthly_pours)} per month</p>
          {people && <p className="text-sm">{people}</p>}
          {promise && <p className="text-sm">{promise}</p>}
          {aGlass && <p className="text-ink-muted text-sm tabular-nums">{aGlass} a glass</p>}
        </div>
        <p className="text-ink-muted text-sm sm:text-base">{tier.description}</p>
        {chosen && (
          <p>
            <Badge tone="brass">Your current choice</Badge>
          </p>
        )}
        <Button
          block
          className="mt-auto"
          busy={busy}
          aria-describedby={id}
          onClick={() => (atVenue ? onPayAtVenue() : setAsking(true))}
        >
          {atVenue ? 'Pay at the Venue' : 'Continue to Payment'}
        </Button>
      </div>
      <Dialog
        open={asking && !busy}
        title={`${tier.display_name}, ${tierCharge(tier.monthly_price)} per month`}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button variant="secondary" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button ref={focusFirst} aria-describedby={consentId} onClick={() => onChoose(words.version)}>
              Continue to Payment
            </Button>
          </>
        }
      >
        <ConsentText words={words} id={consentId} />
      </Dialog>
    </article>
  );
}
