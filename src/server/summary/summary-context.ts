import type { Logger } from 'pino';
import type { PourContext } from '../pours/pour-context.ts';
import type { SummaryWriter } from './model.ts';

/** What the verbs of the profile summary need. */
export interface SummaryContext extends PourContext {
  /** Null where no language model is configured. */
  summaries: SummaryWriter | null;
  log: Logger;
}
