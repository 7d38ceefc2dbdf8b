import { pourCount } from '../../domain/pour.ts';
import { peopleText } from './people-text.ts';
import { rolloverPromise } from './rollover-text.ts';

interface Holds {
  people: number;
  rollover_glasses: number;
  guest_glasses: number;
}

/** The benefits of a tier besides its pours, a line each: who it is for, what rolls over, and pours for guests. */
export const tierHolds = ({ people, rollover_glasses, guest_glasses }: Holds): string[] =>
  [
    peopleText(people),
    rolloverPromise(rollover_glasses),
    guest_glasses > 0 ? `${pourCount(guest_glasses)} for guests` : null,
  ].filter((line) => line !== null);
