import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import type { ReactNode } from 'react';
import type { TierSetting } from '../../../contract/staff/tier-settings.ts';
import { benefitText } from '../../../domain/membership/benefit.ts';
import { formatAmount } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { site } from '../../api/site.ts';
import { priceNote, yearPrice } from '../../format/money.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { dateOfInstant } from '../venue-dates.ts';

export type TierAsk = 'edit' | 'move' | 'withdraw' | 'retire' | 'offer' | 'recommend' | 'earlier' | 'later';

export const membersText = (count: number): string => (count === 1 ? '1 member' : `${count} members`);

interface TierCardProps {
  tier: TierSetting;
  /** The position among the tiers on offer; -1 for a retired one. */
  place: number;
  last: number;
  /** Null for staff who cannot change tiers. */
  onAsk: ((ask: TierAsk) => void) | null;
}

export function TierCard({ tier, place, last, onAsk }: TierCardProps) {
  const { display_name, description, members, moves, is_active, is_featured } = tier;
  return (
    <li>
      <Card
        className="flex h-full flex-col"
        title={<span className="wrap-anywhere">{display_name}</span>}
        aside={
          <span className="-my-2 flex flex-wrap items-center gap-2">
            {is_featured && <Badge tone="brass">Recommended</Badge>}
            <Badge tone={is_active ? 'positive' : 'neutral'}>{is_active ? 'On offer' : 'Retired'}</Badge>
            {onAsk && is_active && <Order {...{ display_name, place, last, onAsk }} />}
          </span>
        }
      >
        <p className="font-title text-2xl lining-nums">
          {formatAmount(tier.monthly_price_cents, site.currency)}
          <span className="font-text text-base text-ink-muted">
            {' '}
            {priceNote && `${priceNote} `}per month, {pourCount(tier.monthly_pours)}
          </span>
        </p>
        {tier.yearly_price_cents !== null && (
          <p>{yearPrice(tier.yearly_price_cents, tier.monthly_price_cents)}</p>
        )}
        <p className="mt-2 wrap-anywhere">{description}</p>
        <p className="mt-2 text-balance text-ink-muted text-sm">
          {[
            `${membersText(members)}${tier.people > 1 ? ' with their partners, for two' : ''}`,
            tier.guest_glasses > 0 && `${pourCount(tier.guest_glasses)} for guests`,
            tier.rollover_glasses > 0 &&
              `${pourCount(tier.rollover_glasses)} ${tier.rollover_glasses === 1 ? 'rolls' : 'roll'} over`,
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
        {tier.benefits.length > 0 && (
          <ul className="mt-2 list-disc pl-5 text-sm">
            {tier.benefits.map((benefit) => (
              <li key={benefit.id} className="wrap-anywhere">
                {benefitText(benefit)}
              </li>
            ))}
          </ul>
        )}
        {moves && (
          <p className="mt-2 text-sm">
            {membersText(moves.count)} emailed about a new price, from {dateOfInstant(moves.first_at)}
          </p>
        )}
        {onAsk && <TierActs tier={tier} onAsk={onAsk} />}
      </Card>
    </li>
  );
}

interface OrderProps extends Pick<TierCardProps, 'place' | 'last'> {
  display_name: string;
  onAsk: (ask: TierAsk) => void;
}

function Order({ display_name, place, last, onAsk }: OrderProps) {
  return (
    <span className="-mr-2 flex">
      <IconButton
        label={`Show ${display_name} earlier`}
        icon={<ArrowUp size={20} />}
        className="disabled:opacity-40"
        disabled={place <= 0}
        onClick={() => onAsk('earlier')}
      />
      <IconButton
        label={`Show ${display_name} later`}
        icon={<ArrowDown size={20} />}
        className="disabled:opacity-40"
        disabled={place >= last}
        onClick={() => onAsk('later')}
      />
    </span>
  );
}

function TierActs({ tier, onAsk }: { tier: TierSetting; onAsk: (ask: TierAsk) => void }) {
  const { display_name, is_active, is_featured, members, moves } = tier;
  const act = (ask: TierAsk, label: string, name: string): ReactNode => (
    <Button variant="secondary" size="sm" aria-label={name} onClick={() => onAsk(ask)}>
      {label}
    </Button>
  );
  return (
    <div className="mt-auto flex flex-wrap items-center gap-3 pt-5">
      {act('edit', 'Edit', `Edit ${display_name}`)}
      {members > 0 && act('move', 'Move Members', `Move members of ${display_name}`)}
      {moves && act('withdraw', 'Withdraw Move', `Withdraw move to ${display_name}`)}
      {is_active &&
        act(
          'recommend',
          is_featured ? 'Do Not Recommend' : 'Recommend',
          is_featured ? `Do not recommend ${display_name}` : `Recommend ${display_name}`,
        )}
      {is_active
        ? act('retire', 'Retire', `Retire ${display_name}`)
        : act('offer', 'Offer Again', `Offer again: ${display_name}`)}
    </div>
  );
}
