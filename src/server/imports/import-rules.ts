import { email } from '../../contract/auth/credentials.ts';
import { personName } from '../../contract/profile.ts';
import { localDate } from '../../domain/calendar.ts';
import type { ImportRules } from '../../domain/imports/import-row.ts';
import type { Tx } from '../db/client.ts';
import { tier_definitions } from '../db/schema.ts';
import type { ImportRecord, ImportWorker } from './import-context.ts';

export type TierRow = typeof tier_definitions.$inferSelect;

/** The current rules for a row: those of the sign-up for emails and names, with the venue's tiers. */
export async function importRules(
  { now, timeZone }: Pick<ImportWorker, 'now' | 'timeZone'>,
  tx: Tx,
  { date_order, tier_names }: Pick<ImportRecord, 'date_order' | 'tier_names'>,
): Promise<ImportRules & { tiers: TierRow[] }> {
  return {
    isEmail: (text) => email.safeParse(text).success,
    isName: (text) => personName.safeParse(text).success,
    tiers: await tx.select().from(tier_definitions),
    tier_names,
    date_order,
    today: localDate(now(), timeZone),
  };
}
