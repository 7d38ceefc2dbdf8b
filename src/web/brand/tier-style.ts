import { type TierLook, tierLook } from '../../domain/tiers.ts';

export interface TierStyle {
  paper: string;
  line: string;
  /** `on-tier`: the club's logo on this paper (domain/club/logo.ts). */
  crest: string;
}

const STYLES: Record<TierLook, TierStyle> = {
  select: {
    paper: 'bg-select text-select-ink',
    line: 'border-select-line',
    crest: 'on-tier text-select-line',
  },
  premier: {
    paper: 'bg-premier text-premier-ink',
    line: 'border-premier-line',
    crest: 'on-tier text-premier-line',
  },
  elite: { paper: 'bg-elite text-elite-ink', line: 'border-elite-line', crest: 'on-tier text-elite-line' },
  household: {
    paper: 'bg-household text-household-ink',
    line: 'border-household-line',
    crest: 'on-tier text-household-line',
  },
};

export const tierStyle = (tier: string): TierStyle => STYLES[tierLook(tier)];
