import type { Logger } from 'pino';
import type { PourContext } from '../pours/pour-context.ts';
import type { CardKey, PaperCardKey } from './card-key.ts';

/** What the verbs of the membership card need. */
export interface CardContext extends PourContext {
  cardKey: CardKey;
  paperKey: PaperCardKey;
  log: Logger;
}
