import { pourCount } from '../../domain/pour.ts';

/**
 * The glasses left from last month: 'Poured first: 2 pours from last month. Use them by December 13.' `last_day` as
 * text.
 */
export const rolledOverText = (left: number, last_day: string): string =>
  `Poured first: ${pourCount(left)} from last month. Use ${left === 1 ? 'it' : 'them'} by ${last_day}.`;

/** The same for the bar, which has its own label for last month: '2, until December 13'. */
export const rolledOverAtBar = (left: number, last_day: string): string => `${left}, until ${last_day}`;

/** A tier's rollover: 'Up to 3 unused pours can be used next month'; null for one that lets none roll over. */
export const rolloverPromise = (glasses: number): string | null =>
  glasses > 0 ? `Up to ${glasses} unused ${glasses === 1 ? 'pour' : 'pours'} can be used next month` : null;

/** The same in few words, to go beside the price. */
export const rolloverNote = (glasses: number): string =>
  glasses > 0 ? `, up to ${glasses} ${glasses === 1 ? 'rolls' : 'roll'} over` : '';
