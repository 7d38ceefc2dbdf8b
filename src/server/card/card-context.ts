import type { Logger } from 'pino';
import type { IdentifiedKey } from '../config/purpose-key.ts';
import type { PourContext } from '../pours/pour-context.ts';

export interface CardContext extends PourContext {
  cardKey: Uint8Array;
  paperKey: IdentifiedKey;
  log: Logger;
}
