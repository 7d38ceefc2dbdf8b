import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EmbeddedDatabase, openPostgres } from '../../src/server/db/client.ts';
import {
  type MoveProgress,
  MoveRefusedError,
  moveToPostgres,
} from '../../src/server/db/move/move-to-postgres.ts';
import { pour } from '../support/fixtures/members.ts';
import { RED_DOT } from '../support/fixtures/pictures.ts';
import { type WholeMember, wholeMember } from '../support/fixtures/whole-member.ts';
import { openWine } from '../support/fixtures/wines.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
import { Caller } from '../support/harness/caller.ts';
import { createTestDatabase } from '../support/harness/database.ts';
import { createDatabase, createEmptyDatabase } from '../support/harness/postgres.ts';
import { command } from '../support/harness/postgres-server.ts';
import { everyRow } from '../support/harness/rows.ts';

/** Characters and values that a copy through text could lose. */
const AWKWARD = 'tab\there, \\N, \\., "quotes", line\nbreak, Zoë 🍷, ';

let source: EmbeddedDatabase;
let app: TestApp;
let staff: Caller;
let member: WholeMember;
beforeAll(async () => {
  source = await createTestDatabase();
  app = await createTestApp({ database: source });
  staff = await app.staff();
  member = await wholeMember(app, staff, 'Ada');
  await app.services.db.execute(
    sql`update profiles set phone = ${AWKWARD}, name = '' where id = ${member.user_id}::uuid`,
  );
  await app.services.db.execute(
    sql`insert into stripe_setup (kind, request_id, stripe_id, created_at)
        values ('webhook_endpoint', ${app.services.newId()}, 'we_1', now())`,
  );
  await app.services.db.execute(
    sql`insert into stripe_key_failure (key, failures, failed_at) values ('a hash', 1, now())`,
  );
  await app.services.db.execute(
    sql`insert into scheduled_task (name, began_at) values ('billing sweep', now())`,
  );
  await app.services.db.execute(
    sql`insert into email_wording (kind, wording, version, changed_at) values ('welcome', '{}', 1, now())`,
  );
  await app.services.db.execute(
    sql`insert into club_settings (overrides, version, changed_at) values ('{"minimum_age": 18}', 1, now())`,
  );
  await app.services.db.execute(sql`insert into closed_day (day, time_zone) values ('2026-01-01', 'UTC')`);
  await app.services.db.execute(
    sql`insert into unused_summary (day, tier, periods, given, unused) values ('2026-01-01', 'select', 1, 4, 2)`,
  );
  await app.services.db.execute(
    sql`insert into tier_rollover (tier_name, since, glasses) values ('elite', now(), 3)`,
  );
  const wine = await openWine(staff);
  await staff.must('PUT', `/api/wines/${wine.id}/picture`, { content: RED_DOT });
  await staff.must('PUT', '/api/club-settings/logo', { content: RED_DOT });
  await staff.must('PUT', '/api/club-settings/picture', { content: RED_DOT });
  await app.visitor().must('GET', '/api/auth/jwks');
  // As recorded while a disk is nearly full.
  await app.services.db.execute(
    sql`insert into system_alert (cause, began_at, seen_at) values ('disk', now(), now())`,
  );
  // As recorded by the demo at its start.
  await app.services.db.execute(sql`insert into stripe_mode (mode, since) values ('demo', now())`);
});
afterAll(() => app.close());

/** Leaves out the table about the database itself. */
async function moved(db: Parameters<typeof everyRow>[0]) {
  const rows = await everyRow(db);
  rows.delete('schema_functions');
  return rows;
}

describe('moving to a Postgres server', () => {
  it('copies every row of every table, and the server goes on there', async () => {
    const target = await createDatabase();
    const progress: MoveProgress[] = [];
    const report = await moveToPostgres(source.engine, target.url, (it) => progress.push(it));
    const before = await moved(source.db);
    expect([...before].filter(([, rows]) => rows.length === 0).map(([name]) => name)).toEqual([]);
    expect(report).toEqual({ tables: before.size, rows: [...before.values()].flat().length });
    expect(progress.map(({ table }) => table).sort()).toEqual([...before.keys()].sort());

    const database = await openPostgres(target.url, { stripeMode: 'demo' });
    expect(await moved(database.db)).toEqual(before);
    await database.close();
    const there = await createTestApp({ databaseUrl: target.url });
    const bar = new Caller(there.url, there.url);
    for (const [name, value] of staff.jar) bar.jar.set(name, value);
    expect((await pour(bar, member.customer_id)).status).toBe(201);
    // The triggers are on again.
    await expect(command(target.url, 'delete from pours')).rejects.toThrow('append-only');
    await expect(command(target.url, 'update billing_customer set tried_at = now()')).rejects.toThrow('mode');
    await there.close();
    await target.drop();
  });

  it('leaves nothing there when it fails in the middle', async () => {
    const target = await createDatabase();
    const failing = moveToPostgres(source.engine, target.url, ({ table }) => {
      if (table === 'pours') throw new Error('the cable was pulled');
    });
    await expect(failing).rejects.toThrow('the cable was pulled');
    const database = await openPostgres(target.url);
    const filled = [...(await moved(database.db))].filter(([, rows]) => rows.length > 0);
    expect(filled.map(([name]) => name)).toEqual(['tier_definitions']);
    await database.close();
    // A second attempt finds it empty.
    await expect(moveToPostgres(source.engine, target.url, () => undefined)).resolves.toMatchObject({});
    await target.drop();
  });

  it('notices a row that arrives differently', async () => {
    const target = await createDatabase();
    // Pads the value with spaces.
    await command(target.url, 'alter table accounts alter column provider_id type character(300)');
    const moving = moveToPostgres(source.engine, target.url, () => undefined);
    await expect(moving).rejects.toThrow('The copy of accounts differs');
    await target.drop();
  });

  it('touches no database with data of its own', async () => {
    const used = await createDatabase();
    await command(used.url, `insert into stripe_mode (mode, since) values ('live', now())`);
    const before = openPostgres(used.url);
    await expect(moveToPostgres(source.engine, used.url, () => undefined)).rejects.toBeInstanceOf(
      MoveRefusedError,
    );
    await (await before).close();
    await used.drop();

    const foreign = await createEmptyDatabase();
    await command(foreign.url, 'create table somebody_elses (id integer)');
    await expect(openPostgres(foreign.url)).rejects.toThrow('tables of something else');
    await foreign.drop();
  });
});
