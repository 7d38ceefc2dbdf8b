import { useTierLabel } from '../api/use-tier-names.ts';
import { TierMark } from './tier-mark.tsx';

export function TierBadge({ tier, className }: { tier: string; className?: string }) {
  return <TierMark tier={tier} label={useTierLabel()(tier)} className={className} />;
}
