import type { TierObstacle } from '../../../domain/tiers.ts';
import { refusalOf, serverMessage } from '../../api/api-error.ts';

/** The problem with a tier, and its field in the form; null if it concerns the whole tier. */
export interface TierProblem {
  field: 'short' | 'price' | 'year' | 'glasses' | 'guests' | 'rollover' | 'benefits' | null;
  text: string;
}

const OBSTACLES: Record<TierObstacle, TierProblem> = {
  name_taken: {
    field: 'short',
    text: 'Another tier already has this short name. Choose a different one.',
  },
  name_not_allowed: {
    field: 'short',
    text: 'Use lowercase letters, digits and underscores, such as grand_cru.',
  },
  price_not_allowed: {
    field: 'price',
    text: 'Stripe cannot charge this price: it is too low or too high.',
  },
  year_price_not_allowed: {
    field: 'year',
    text: 'A year costs no more than twelve months, and enough for Stripe to charge it.',
  },
  glasses_not_allowed: { field: 'glasses', text: 'Enter 1 to 500.' },
  people_not_allowed: { field: null, text: 'A membership is for one or two people.' },
  guest_glasses_not_allowed: { field: 'guests', text: 'Enter 0 to 20.' },
  rollover_not_allowed: { field: 'rollover', text: 'Enter 0 to 100.' },
  too_many_benefits: { field: 'benefits', text: 'A tier has up to eight benefits.' },
  benefit_words_not_allowed: {
    field: 'benefits',
    text: 'Each benefit is one line of up to 60 characters, without HTML.',
  },
  benefit_number_not_allowed: { field: 'benefits', text: 'Count 1 to 50 of a benefit.' },
  benefit_twice: { field: 'benefits', text: 'Two benefits are the same.' },
  words_missing: { field: null, text: 'A tier needs a name and a description.' },
  members_have_it: {
    field: 'glasses',
    text: 'Members have this tier, or are about to pay for it, and would get fewer pours than they pay for, or lose the person they share with. Add another tier, retire this one, and move its members.',
  },
  last_on_offer: {
    field: null,
    text: 'This is the last tier on offer: without it, nobody could join. Offer another one first.',
  },
  not_on_offer: { field: null, text: 'Only a tier on offer can be recommended.' },
};

export const obstacleProblem = (obstacle: TierObstacle): TierProblem => OBSTACLES[obstacle];

export function tierProblem(error: unknown): TierProblem {
  const refusal = refusalOf(error, 'TIER_SETTING_REFUSED');
  if (refusal) return OBSTACLES[refusal.data.reason];
  return { field: null, text: serverMessage(error) ?? 'We couldn’t save the tier. Please try again.' };
}
