import type { PgTable } from 'drizzle-orm/pg-core';
import {
  application_count,
  bottle,
  club_settings,
  jwks,
  scheduled_task,
  schema_functions,
  stripe_mode,
  stripe_setup,
  summary_period,
  summary_stale,
  tag,
  tier_definitions,
  tier_price,
  unused_summary,
  webhook_endpoint,
  wine,
} from '../db/schema.ts';

/** Tables without personal data. */
export const NOT_PERSONAL: { table: PgTable; why: string }[] = [
  { table: application_count, why: 'how many applications there are, and nothing of whose' },
  { table: club_settings, why: 'what the club says of itself' },
  { table: bottle, why: 'which bottles were opened' },
  { table: jwks, why: 'the keys that sign tokens' },
  { table: scheduled_task, why: 'when the recurring work was last done' },
  { table: schema_functions, why: 'which SQL functions the database has' },
  { table: stripe_mode, why: 'whether payments are real' },
  { table: stripe_setup, why: 'our webhook endpoint and portal settings at the payment service' },
  { table: summary_period, why: 'which days and months were summarized' },
  { table: summary_stale, why: 'when pours were voided late, not whose' },
  { table: tag, why: 'the tags that the venue has' },
  { table: tier_definitions, why: 'what the venue sells' },
  { table: unused_summary, why: 'how many glasses were left in a month' },
  { table: wine, why: 'the venue’s wines' },
  { table: webhook_endpoint, why: 'which other systems of the venue are told what happens' },
  { table: tier_price, why: 'its price ids at the payment service' },
];
