import { useId } from 'react';
import type { TierDefinition } from '../../contract/tiers.ts';
import { priceNote, tierPrice, yearOffer } from '../format/money.ts';
import { Choice } from '../ui/choice.tsx';

/** A tier is paid by the month, or once for a year. */
export type Period = 'month' | 'year';

/** The period that is paid for: the club may have stopped selling years since one was chosen. */
export const periodOf = ({ yearly_price }: Pick<TierDefinition, 'yearly_price'>, chosen: Period): Period =>
  yearly_price === null ? 'month' : chosen;

interface PeriodChoiceProps {
  tier: TierDefinition;
  period: Period;
  onChoose: (period: Period) => void;
  /** The till takes the payment, and decides. */
  atVenue?: boolean;
}

/** The choice between a month and a year. Renders nothing for a tier that is sold by the month only. */
export function PeriodChoice({ tier, period, onChoose, atVenue = false }: PeriodChoiceProps) {
  const group = useId();
  const year = yearOffer(tier);
  if (year === null) return null;
  if (atVenue) return <p className="text-sm tabular-nums">Or {year}</p>;
  const month = `${tierPrice(tier.monthly_price)}${priceNote && ` ${priceNote}`} a month`;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="sr-only">How to pay for {tier.display_name}</legend>
      <Choice name={group} checked={period === 'month'} onChoose={() => onChoose('month')} label={month} />
      <Choice name={group} checked={period === 'year'} onChoose={() => onChoose('year')} label={year} />
    </fieldset>
  );
}
