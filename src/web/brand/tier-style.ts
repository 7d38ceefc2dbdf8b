export interface TierStyle {
  /** Background and text. */
  paper: string;
  /** Borders. */
  line: string;
  /** `on-tier`: the club’s logo on such paper (domain/club/logo.ts). */
  crest: string;
}

const select: TierStyle = {
  paper: 'bg-select text-select-ink',
  line: 'border-select-line',
  crest: 'on-tier text-select-line',
};

const STYLES: Record<string, TierStyle> = {
  select,
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

/** A tier that is no longer sold looks like Select. */
export function tierStyle(tier: string): TierStyle {
  return STYLES[tier] ?? select;
}
