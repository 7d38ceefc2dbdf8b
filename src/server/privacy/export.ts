import type { PersonalData } from '../../contract/privacy.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { Tx } from '../db/client.ts';
import { getTableColumns, getTableName } from '../db/orm.ts';
import { consumeRateLimit } from '../platform/rate-limit.ts';
import { PERSONAL_DATA } from './inventory.ts';
import { type Person, type PersonalDataTable, personOf, withoutEmail } from './personal-data-table.ts';
import type { PrivacyContext } from './privacy-context.ts';

/** Each export reads a member's whole history. */
const EXPORTS = { max: 10, window: 3600 };

/**
 * Everything stored about the actor, read in one transaction. Leaves out secrets and the names of staff, and says so; and
 * rows found by the email alone while it is unconfirmed.
 * Throws Refusal NOT_SIGNED_IN, TOO_MANY_ATTEMPTS.
 */
export async function exportPersonalData(ctx: PrivacyContext): Promise<PersonalData> {
  const { db, actor, now, venue } = ctx;
  await consumeRateLimit(ctx, `download-my-data:${actor.user_id}`, EXPORTS);
  return db.transaction(
    async (tx) => {
      const self = await personOf(tx, actor.user_id);
      if (!self) throw new Refusal('NOT_SIGNED_IN');
      const person = self.confirmed ? self : withoutEmail(self);
      const sections: PersonalData['sections'] = [];
      for (const entry of PERSONAL_DATA) {
        if (typeof entry.hidden !== 'string') sections.push(await section(tx, entry, person));
      }
      const left_out = PERSONAL_DATA.flatMap(({ hidden, about, table }) =>
        typeof hidden === 'string' ? [{ about, table: getTableName(table), why: hidden }] : [],
      );
      return { version: 1 as const, made_at: now().toISOString(), club: venue.club_name, sections, left_out };
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  );
}

async function section(
  tx: Tx,
  { table, about, of, hidden }: PersonalDataTable,
  person: Person,
): Promise<PersonalData['sections'][number]> {
  const left_out = typeof hidden === 'string' ? {} : hidden;
  const records = await tx.select().from(table).where(of(person));
  const columns = Object.entries(getTableColumns(table));
  const rows = records.map((row) =>
    Object.fromEntries(
      columns
        .filter(([, { name }]) => !(name in left_out))
        .map(([key, { name }]) => [name, plain((row as Record<string, unknown>)[key])]),
    ),
  );
  return { about, table: getTableName(table), rows, left_out };
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
}
