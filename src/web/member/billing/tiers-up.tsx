import { useId, useState } from 'react';
import type { OwnMembership } from '../../../contract/members.ts';
import { tierUpConsent } from '../../../domain/consent.ts';
import { monthsLeftText } from '../../../domain/membership/dues.ts';
import { amountWithTax } from '../../../domain/money.ts';
import { api } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { classNames } from '../../ui/class-names.ts';
import { FormError } from '../../ui/form-error.tsx';
import { moveByRow } from '../../ui/move-by-row.ts';
import { useOrder } from './use-order.ts';

type TierUp = OwnMembership['tiers_up'][number];

const priceOf = ({ amount_cents }: TierUp) => amountWithTax(amount_cents, site.currency, site.tax_behavior);

/** Pays online for a dearer tier in the months that are left of a year. Renders nothing without one. */
export function TiersUp({ offers, className }: { offers: TierUp[]; className: string }) {
  const name = useId();
  const tierLabel = useTierLabel();
  const [chosen, choose] = useState<string | null>(null);
  const offer = offers.find(({ tier }) => tier === chosen) ?? offers[0];
  if (!offer) return null;
  return (
    <div className={classNames('flex flex-col items-start gap-3 border-line border-t', className)}>
      <fieldset className="flex w-full flex-col gap-2" onKeyDown={moveByRow}>
        <legend className="sr-only">A dearer tier for the rest of your year</legend>
        {offers.map((it) => (
          <Choice
            key={it.tier}
            name={name}
            checked={it === offer}
            onChoose={() => choose(it.tier)}
            label={`${tierLabel(it.tier)} for ${monthsLeftText(it.months)}: ${priceOf(it)}`}
          />
        ))}
      </fieldset>
      <p>The tier begins at once, and its pours come with the next month.</p>
      <TierUpOrder key={offer.tier} offer={offer} label={tierLabel(offer.tier)} />
    </div>
  );
}

function TierUpOrder({ offer, label }: { offer: TierUp; label: string }) {
  const id = useId();
  const { tier, months } = offer;
  const { words, busy, failure, pay } = useOrder(
    tierUpConsent(site, { tier: label, months, price: priceOf(offer) }),
    (agreed) => api.billing.buyTierUp({ tier, ...agreed }),
    'Your tier can’t be changed right now.',
  );
  return (
    <>
      <ConsentText words={words} id={id} />
      <Button size="sm" variant="secondary" busy={busy} aria-describedby={id} onClick={() => void pay()}>
        Move to {label}
      </Button>
      <FormError of={failure} />
    </>
  );
}
