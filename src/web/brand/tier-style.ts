export interface TierStyle {
  /** Fill and text. */
  paper: string;
  /** Colour of hairlines and of the crest. */
  line: string;
  crest: string;
}

const select: TierStyle = {
  paper: 'bg-select text-select-ink',
  line: 'border-select-line',
  crest: 'text-select-line',
};

const looks: Record<string, TierStyle> = {
  select,
  premier: {
    paper: 'bg-premier text-premier-ink',
    line: 'border-premier-line',
    crest: 'text-premier-line',
  },
  elite: { paper: 'bg-elite text-elite-ink', line: 'border-elite-line', crest: 'text-elite-line' },
  household: {
    paper: 'bg-household text-household-ink',
    line: 'border-household-line',
    crest: 'text-household-line',
  },
};

/** Tiers that are no longer sold look like the first one. */
export function tierStyle(tier: string): TierStyle {
  return looks[tier] ?? select;
}
