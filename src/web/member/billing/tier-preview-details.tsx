import type { TierPreview } from '../../../contract/billing.ts';
import { pourCount } from '../../../domain/pour.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { centsPerMonth, formatCents } from '../../format/money.ts';
import { DescriptionList } from '../../ui/description-list.tsx';

interface TierPreviewDetailsProps {
  preview: TierPreview;
  /** The member's current tier. */
  tier: string;
}

/** What a tier change costs, now and later, and how many pours it leaves. Shown before the member agrees. */
export function TierPreviewDetails({ preview, tier }: TierPreviewDetailsProps) {
  const { kind, charged_now, next_amount, next_billing_at, glasses_now, glasses_then } = preview;
  const left = ({ available_pours, tier_max }: typeof glasses_now) => `${available_pours} of ${tier_max}`;
  const from = `From ${dateOfInstant(next_billing_at)}`;
  if (kind === 'at_once') {
    return (
      <DescriptionList
        items={[
          { term: 'Charged now, for the rest of this period', detail: formatCents(charged_now) },
          { term: from, detail: centsPerMonth(next_amount) },
          {
            term: 'Pours left this period',
            detail: `${left(glasses_then)}, instead of ${left(glasses_now)}`,
          },
        ]}
      />
    );
  }
  return (
    <DescriptionList
      items={[
        { term: 'Charged now', detail: 'Nothing' },
        { term: 'Until then', detail: `${tierLabel(tier)}, with ${left(glasses_now)} pours left` },
        { term: from, detail: `${centsPerMonth(next_amount)}, ${pourCount(glasses_then.tier_max)}` },
      ]}
    />
  );
}
