import type { TierDefinition } from '../../../contract/tiers.ts';
import { type ConsentWords, subscriptionConsent, yearConsent } from '../../../domain/consent.ts';
import { pourCount } from '../../../domain/pour.ts';
import { site } from '../../api/site.ts';
import { priceNote, tierCharge, tierPrice } from '../../format/money.ts';
import { tierHolds } from '../../format/tier-holds.ts';
import type { Period } from '../period-choice.tsx';

/** What a tier costs and holds, below its name and above the choice of its period. */
export function TierOffer({ tier }: { tier: TierDefinition }) {
  return (
    <div>
      <p className="tabular-nums">
        <span className="font-title text-3xl">{tierPrice(tier.monthly_price)}</span>{' '}
        <span className="text-ink-muted">per month{priceNote && ` ${priceNote}`}</span>
      </p>
      <p className="mt-1 font-semibold">{pourCount(tier.monthly_pours)} per month</p>
      {tierHolds(tier).map((line) => (
        <p key={line} className="text-ink-muted text-sm">
          {line}
        </p>
      ))}
      <p className="mt-2 text-ink-muted">{tier.description}</p>
    </div>
  );
}

/** The consent beside 'Continue to Payment' for a period of a tier. */
export function consentTo(tier: TierDefinition, period: Period): ConsentWords {
  const { display_name, monthly_price, yearly_price } = tier;
  return period === 'year' && yearly_price !== null
    ? yearConsent(site, { tier: display_name, price: tierCharge(yearly_price) })
    : subscriptionConsent(site, { tier: display_name, price: tierCharge(monthly_price) });
}
