import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import * as schema from '../../../src/server/db/schema.ts';
import { NOT_PERSONAL, PERSONAL_DATA } from '../../../src/server/privacy/inventory.ts';

const tables = Object.values(schema).filter((it) => is(it, PgTable)) as unknown as PgTable[];
const held = new Map(PERSONAL_DATA.map((it) => [getTableName(it.table), it]));
const nobodys = new Set(NOT_PERSONAL.map(({ table }) => getTableName(table)));

/** Tables that lead to a person by their foreign keys, however far the way. */
function aboutPeople(): Set<string> {
  const people = new Set(['profiles']);
  for (let before = 0; before < people.size; ) {
    before = people.size;
    for (const table of tables) {
      const { foreignKeys } = getTableConfig(table);
      if (foreignKeys.some((key) => people.has(getTableName(key.reference().foreignTable)))) {
        people.add(getTableName(table));
      }
    }
  }
  return people;
}

/** A name that sounds like something one can sign in or pay with. */
const SOUNDS_SECRET = /token$|secret|password|codes?$|^key$|_key|hash|^url$|credential/;
/** And is not. */
const HARMLESS = new Set(['profile_summary.key']);

describe('every table', () => {
  it.each(tables.map((table) => getTableName(table)))('%s is in exactly one of the lists', (name) => {
    expect([held.has(name), nobodys.has(name)].filter(Boolean)).toHaveLength(1);
  });

  it('that leads to a person is not among those without one', () => {
    const people = aboutPeople();
    expect(people.size).toBeGreaterThan(12);
    expect([...people].filter((name) => nobodys.has(name))).toEqual([]);
  });

  it('is found once', () => {
    expect(held.size).toBe(PERSONAL_DATA.length);
    expect(held.size + nobodys.size).toBe(tables.length);
  });
});

describe.each(PERSONAL_DATA.map((it) => [getTableName(it.table), it] as const))('%s', (name, holding) => {
  const columns = Object.values(getTableColumns(holding.table));
  const names = columns.map((it) => it.name);

  it('leaves out, and erases, only columns that there are', () => {
    const hidden = typeof holding.hidden === 'string' ? [] : Object.keys(holding.hidden);
    const erased = holding.kept === 'nothing' ? [] : Object.keys(holding.kept.erased);
    expect(names).toEqual(expect.arrayContaining([...hidden, ...erased]));
  });

  it('shows nothing that sounds like a secret, nor who of the staff it was', () => {
    if (typeof holding.hidden === 'string') return;
    const { hidden } = holding;
    const shown = names.filter((it) => !(it in hidden) && !HARMLESS.has(`${name}.${it}`));
    expect(shown.filter((it) => SOUNDS_SECRET.test(it) || it.includes('staff'))).toEqual([]);
  });
});
