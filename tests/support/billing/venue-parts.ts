import type Stripe from 'stripe';
import type { Sandbox } from '../../../sandbox/index.ts';
import type { Db } from '../../../src/server/db/client.ts';
import type { TestClock } from '../harness/clock.ts';
import type { Billing } from './drive-billing.ts';

export interface VenueParts {
  db: Db;
  clock: TestClock;
  sandbox: Sandbox;
  stripe: Stripe;
  billing: Billing;
}
