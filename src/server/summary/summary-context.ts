import type { Logger } from 'pino';
import type { PourContext } from '../pours/pour-context.ts';
import type { SummaryWriter } from './model.ts';

export interface SummaryContext extends PourContext {
  summaries: SummaryWriter | null;
  log: Logger;
}
