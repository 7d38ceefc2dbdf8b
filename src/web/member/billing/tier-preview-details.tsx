import type { TierPreview } from '../../../contract/billing.ts';
import { formatAmount } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { perMonth } from '../../format/money.ts';
import { DescriptionList } from '../../ui/description-list.tsx';

interface TierPreviewDetailsProps {
  preview: TierPreview;
  /** The present one. */
  tier: string;
}

/** '$7.09 today, 4 more glasses until 12/21/2026, 20 a month from then' */
function upgradeSummary({
  charged_now,
  charged_later,
  currency,
  added_glasses,
  monthly_glasses,
  next_billing_at,
}: TierPreview): string {
  const more =
    added_glasses === 0 ? 'no more pours' : `${added_glasses} more ${added_glasses === 1 ? 'pour' : 'pours'}`;
  const charge =
    charged_later > 0
      ? `${formatAmount(charged_later, currency)} added to your next payment`
      : `${formatAmount(charged_now, currency)} today`;
  return `${charge}, ${more} until ${dateOfInstant(next_billing_at)}, ${monthly_glasses} a month from then`;
}

/** The cost of a tier change now and later, and the member's pours afterwards. Shown before the member agrees. */
export function TierPreviewDetails({ preview, tier }: TierPreviewDetailsProps) {
  const tierLabel = useTierLabel();
  const { kind, next_amount, next_billing_at, glasses_now, glasses_then, monthly_glasses } = preview;
  const left = ({ available_pours, period_pours }: typeof glasses_now) =>
    `${available_pours} of ${period_pours}`;
  const day = dateOfInstant(next_billing_at);
  const next = `${tierLabel(preview.tier)}, ${perMonth(next_amount, preview)}, ${pourCount(monthly_glasses)}`;
  if (kind === 'at_once') {
    return (
      <>
        <p className="mb-4 text-pretty font-semibold">{upgradeSummary(preview)}.</p>
        <DescriptionList
          items={[
            {
              term: 'Pours left this period',
              detail: `${left(glasses_then)}, instead of ${left(glasses_now)}`,
            },
            { term: `From ${day}`, detail: next },
          ]}
        />
      </>
    );
  }
  return (
    <DescriptionList
      items={[
        { term: 'Charged now', detail: 'Nothing' },
        { term: `Until ${day}`, detail: `${tierLabel(tier)}, with ${left(glasses_now)} pours left` },
        { term: `From ${day}`, detail: next },
      ]}
    />
  );
}
