import type { Verdict } from '../../src/domain/taste.ts';
import type { Chance } from './chance.ts';
import type { MemberStory } from './member-story.ts';

/** Every third member gives verdicts, on two glasses in five. */
const SAYS_EVERY = 3;
const OF_GLASSES = 0.4;

const COMMENTS: Record<Verdict, string[]> = {
  loved: ['The best one so far', 'Could I buy a bottle?', 'Just what I had hoped for'],
  fine: ['Good with the olives', 'Better after a while in the glass'],
  not_mine: ['Too heavy for me', 'A little too dry'],
};

export function verdictOn(
  { ratings }: MemberStory,
  place: number,
  color: string,
  chance: Chance,
): { verdict: Verdict; comment: string | null } | null {
  if (place % SAYS_EVERY !== 0 || !chance.is(OF_GLASSES)) return null;
  const [, , red = 6, white = 6] = ratings;
  const liking = color === 'red' ? red : white;
  const verdict = chance.pick<Verdict>([
    ['loved', liking],
    ['fine', 5],
    ['not_mine', 11 - liking],
  ]);
  const comments = COMMENTS[verdict];
  const comment = chance.is(0.12) ? (comments[chance.between(0, comments.length - 1)] ?? null) : null;
  return { verdict, comment };
}
