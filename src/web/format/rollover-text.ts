import { pourCount } from '../../domain/pour.ts';

/** What waits from last month: 'Poured first: 2 pours from last month. Use them by December 13.' `last_day` as text. */
export const rolledOverText = (left: number, last_day: string): string =>
  `Poured first: ${pourCount(left)} from last month. Use ${left === 1 ? 'it' : 'them'} by ${last_day}.`;

/** The same for the bar: '2 from last month, until December 13'. */
export const rolledOverAtBar = (left: number, last_day: string): string =>
  `${left} from last month, until ${last_day}`;

/** What a tier promises; null for one that lets none roll over. */
export const rolloverPromise = (glasses: number): string | null =>
  glasses > 0 ? `Up to ${pourCount(glasses)} you do not use can be used the next month` : null;
