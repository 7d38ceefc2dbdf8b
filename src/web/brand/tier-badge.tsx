import { useTierLabel } from '../api/use-tier-names.ts';
import { TierMark } from './tier-mark.tsx';

interface TierBadgeProps {
  tier: string;
  className?: string;
}

export function TierBadge({ tier, className }: TierBadgeProps) {
  return <TierMark tier={tier} label={useTierLabel()(tier)} className={className} />;
}
