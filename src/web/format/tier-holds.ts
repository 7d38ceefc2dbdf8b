import type { TierDefinition } from '../../contract/tiers.ts';
import { benefitText } from '../../domain/membership/benefit.ts';
import { pourCount } from '../../domain/pour.ts';

type Holds = Pick<TierDefinition, 'people' | 'rollover_glasses' | 'guest_glasses' | 'benefits'>;

/** What a tier holds besides its pours, a line each: who it is for, what rolls over, pours for guests, its benefits. */
export const tierHolds = ({ people, rollover_glasses, guest_glasses, benefits }: Holds): string[] =>
  [
    peopleText(people),
    rolloverPromise(rollover_glasses),
    guest_glasses > 0 ? `${pourCount(guest_glasses)} for guests` : null,
    ...benefits.map(benefitText),
  ].filter((line) => line !== null);

const peopleText = (people: number): string | null =>
  people > 1 ? 'For two people who share the pours, each with their own card' : null;

export const peopleNote = (people: number): string => (people > 1 ? ', for two people' : '');

const rolloverPromise = (glasses: number): string | null =>
  glasses > 0 ? `Up to ${glasses} unused ${glasses === 1 ? 'pour' : 'pours'} can be used next month` : null;

export const rolloverNote = (glasses: number): string =>
  glasses > 0 ? `, up to ${glasses} ${glasses === 1 ? 'rolls' : 'roll'} over` : '';
