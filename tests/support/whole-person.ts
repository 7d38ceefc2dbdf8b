import { getTableColumns, getTableName, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core';
import { rowsOf } from '../../src/server/db/results.ts';
import { billing_reversal, machine_clients, passkeys } from '../../src/server/db/schema.ts';
import { HOLDINGS } from '../../src/server/privacy/inventory.ts';
import { PASSWORD, type TestApp } from './app.ts';
import { totpCode } from './authenticator.ts';
import type { Caller } from './caller.ts';
import { cardMember, pour } from './factories.ts';
import { mailTo } from './mail.ts';

export interface WholePerson {
  caller: Caller;
  user_id: string;
  email: string;
  customer_id: string;
  /** What a marker of this person begins with. */
  mark: string;
}

/** A member with at least one row in every table that can hold rows about people. */
export async function wholePerson(app: TestApp, staff: Caller, name: string): Promise<WholePerson> {
  const { caller, customer_id } = await cardMember(app, 'select');
  const user_id = caller.id;
  const email = (await caller.must<{ user: { email: string } }>('GET', '/api/session')).user.email;
  await pour(staff, customer_id);
  const { body } = await pour(staff, customer_id);
  const { id } = body.pour as { id: string };
  await staff.must('POST', `/api/pours/${id}/void`, { reason: 'spilled' });
  await staff.must('POST', '/api/functions/generate-profile-summary', { customerId: customer_id });
  await app.services.db.insert(billing_reversal).values({
    stripe_subscription_id: `sub_of_${name}`,
    user_id,
    reason: 'second_subscription',
    refund_from: app.clock.now(),
    created_at: app.clock.now(),
    done_at: app.clock.now(),
  });
  await caller.must('POST', '/api/billing/tier/preview', { tier: 'premier' });
  await app.services.db.insert(machine_clients).values({
    id: app.services.newId(),
    user_id,
    name: 'Till',
    secret_hash: 'hash',
    created_at: app.clock.now(),
  });
  await app.services.db.insert(passkeys).values({
    id: app.services.newId(),
    userId: user_id,
    name: 'Phone',
    credentialID: `credential-of-${name}`,
    publicKey: 'key',
    counter: 0,
    deviceType: 'singleDevice',
    backedUp: false,
  });
  const { totp_uri = '' } = await caller.must<{ totp_uri?: string }>('POST', '/api/auth/two-factor/enable', {
    password: PASSWORD,
  });
  await caller.must('POST', '/api/auth/two-factor/verify-totp', { code: totpCode(totp_uri) });
  await app.visitor().must('POST', '/api/auth/request-password-reset', { email });
  // Sent and kept: the list of mails, without their text.
  await mailTo(app, email);
  return { caller, user_id, email, customer_id, mark: `mark-of-${name}` };
}

/** 'table.column' of every column that holds free text: no key to another row, no word from a fixed list. */
export function textColumns(): { table: string; column: string }[] {
  return HOLDINGS.flatMap(({ table }) => {
    const { foreignKeys } = getTableConfig(table);
    const keys = new Set(foreignKeys.flatMap((key) => key.reference().columns.map((it) => it.name)));
    return (Object.values(getTableColumns(table)) as PgColumn[])
      .filter((it) => it.getSQLType() === 'text' && !it.enumValues?.length && !keys.has(it.name))
      .map((it) => ({ table: getTableName(table), column: it.name }));
  });
}

/**
 * Writes '<mark>:<table>.<column>:<row>' into the text columns of a person's rows, past every trigger.
 * Answers the names of the columns that were written.
 */
export async function markRows(app: TestApp, person: WholePerson, spared: Set<string>): Promise<string[]> {
  const columns = textColumns().filter(({ table, column }) => !spared.has(`${table}.${column}`));
  const marked: string[] = [];
  await app.services.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    // All rows are looked up before the first is changed: some are found by what others say.
    const rows = new Map<string, string[]>();
    for (const { table, of } of HOLDINGS) {
      const found = await rowsOf<{ at: string }>(
        tx,
        sql`select ctid::text as at from ${table} where ${of(person)}`,
      );
      if (found.length === 0) throw new Error(`No row of ${getTableName(table)} is about ${person.mark}`);
      rows.set(
        getTableName(table),
        found.map(({ at }) => at),
      );
    }
    for (const [table, places] of rows) {
      const names = columns.filter((it) => it.table === table).map(({ column }) => column);
      if (names.length === 0) continue;
      for (const [index, at] of places.entries()) {
        const values = names.map(
          (column) => sql`${sql.identifier(column)} = ${`${person.mark}:${table}.${column}:${index}`}`,
        );
        await tx.execute(
          sql`update ${sql.identifier(table)} set ${sql.join(values, sql`, `)} where ctid = ${at}::tid`,
        );
      }
      marked.push(...names.map((column) => `${table}.${column}`));
    }
    await tx.execute(
      sql`update membership_applications set preferences = ${JSON.stringify({
        comments: `${person.mark}:preferences`,
      })}::jsonb where user_id = ${person.user_id}::uuid`,
    );
  });
  return marked;
}

/** Everything in the database, table by table, as text. */
export async function wholeDatabase(app: TestApp): Promise<Map<string, string>> {
  const { db } = app.services;
  const tables = await rowsOf<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables
         where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const content = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await rowsOf<{ row: unknown }>(
      db,
      sql`select to_jsonb(t) as row from ${sql.identifier(name)} t`,
    );
    content.set(name, JSON.stringify(rows));
  }
  return content;
}
