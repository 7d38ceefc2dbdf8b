import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import * as schema from '../../../src/server/db/schema.ts';
import { deliveries } from '../../../src/server/db/schema.ts';
import { PERSONAL_DATA } from '../../../src/server/privacy/inventory.ts';
import { NOT_PERSONAL } from '../../../src/server/privacy/not-personal.ts';

const tables = Object.values(schema).filter((it) => is(it, PgTable)) as unknown as PgTable[];
const personal = new Map(PERSONAL_DATA.map((it) => [getTableName(it.table), it]));
const notPersonal = new Set(NOT_PERSONAL.map(({ table }) => getTableName(table)));

/** Tables with foreign keys to a user, directly or through other tables. */
function tablesAboutUsers(): Set<string> {
  const found = new Set(['profiles']);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const table of tables) {
      const { foreignKeys } = getTableConfig(table);
      if (foreignKeys.some((key) => found.has(getTableName(key.reference().foreignTable)))) {
        found.add(getTableName(table));
      }
    }
  }
  return found;
}

/** Column names that suggest a credential. */
const SOUNDS_SECRET = /token$|secret|password|codes?$|^key$|_key|hash|^url$|credential/;
/** Columns that match by name but hold no secret. */
const HARMLESS = new Set(['profile_summary.key', 'push_device.server_key', 'tag.key']);

describe('every table', () => {
  it.each(tables.map((table) => getTableName(table)))('%s is in exactly one of the two lists', (name) => {
    expect([personal.has(name), notPersonal.has(name)].filter(Boolean)).toHaveLength(1);
  });

  it('with a reference to a user is listed as personal data', () => {
    const aboutUsers = tablesAboutUsers();
    expect(aboutUsers.size).toBeGreaterThan(12);
    expect([...aboutUsers].filter((name) => notPersonal.has(name))).toEqual([]);
  });

  it('is listed once, but for deliveries, which have an entry for each kind', () => {
    const listed = PERSONAL_DATA.map(({ table }) => getTableName(table));
    expect(listed.filter((name, index) => listed.indexOf(name) < index)).toEqual(
      Array(deliveries.kind.enumValues.length - 1).fill('deliveries'),
    );
    expect(new Set(PERSONAL_DATA.map(({ about }) => about)).size).toBe(PERSONAL_DATA.length);
    expect(personal.size + notPersonal.size).toBe(tables.length);
  });
});

describe.each(PERSONAL_DATA.map((it) => [getTableName(it.table), it] as const))('%s', (name, holding) => {
  const columns = Object.values(getTableColumns(holding.table));
  const names = columns.map((it) => it.name);

  it('hides and erases only columns that exist', () => {
    const hidden = typeof holding.hidden === 'string' ? [] : Object.keys(holding.hidden);
    const erased = holding.kept === 'nothing' ? [] : Object.keys(holding.kept.erased);
    expect(names).toEqual(expect.arrayContaining([...hidden, ...erased]));
  });

  it('hides every column that sounds like a secret or names staff', () => {
    if (typeof holding.hidden === 'string') return;
    const { hidden } = holding;
    const shown = names.filter((it) => !(it in hidden) && !HARMLESS.has(`${name}.${it}`));
    expect(shown.filter((it) => SOUNDS_SECRET.test(it) || it.includes('staff'))).toEqual([]);
  });
});
