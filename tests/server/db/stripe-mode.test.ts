import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { ConfigurationError } from '../../../src/server/config/config-error.ts';
import { type StripeMode, stripeModeOf } from '../../../src/server/config/stripe-mode.ts';
import { claimStripeMode, storedStripeMode } from '../../../src/server/db/claim-stripe-mode.ts';
import type { OpenDatabase } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { stripe_event, stripe_mode, tier_price } from '../../../src/server/db/schema.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

const NOW = new Date('2026-06-01T12:00:00Z');

test.each<[StripeMode, string, string?]>([
  ['live', 'sk_live_1'],
  ['live', 'rk_live_1'],
  ['test', 'sk_test_1'],
  ['test', 'rk_test_1'],
  ['demo', 'sk_test_1', 'http://127.0.0.1:3001'],
  ['demo', 'sk_live_1', 'http://127.0.0.1:3001'],
])('the mode is %s for %s at %s', (mode, secretKey, apiUrl) => {
  expect(stripeModeOf({ secretKey, ...(apiUrl ? { apiUrl } : {}) })).toBe(mode);
});

describe('the mode of a database', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.db.execute(sql`truncate stripe_mode, stripe_setup, stripe_event, tier_price`);
    await writeAs(null);
  });

  const writeAs = (mode: StripeMode | null) =>
    database.db.execute(sql.raw(`set cellar_door.stripe_mode to '${mode ?? ''}'`));
  const claim = (mode: StripeMode) => claimStripeMode(database.db, mode, NOW);
  const addPrice = () =>
    database.db.insert(tier_price).values({
      stripe_price_id: 'price_1',
      stripe_product_id: 'prod_1',
      tier_name: 'select',
      amount_cents: 3900,
      currency: 'usd',
      created_at: NOW,
    });

  it('is set by the first start, and unchanged by later starts in that mode', async () => {
    expect(await storedStripeMode(database.db)).toBeNull();
    await claim('test');
    await claim('test');
    expect(await storedStripeMode(database.db)).toBe('test');
  });

  test.each<[StripeMode, StripeMode, RegExp]>([
    ['test', 'live', /Stripe’s test mode.*live key.*Nothing was changed.*cellar-door leave-test-mode/s],
    ['demo', 'live', /of the demo.*live key.*cellar-door leave-test-mode/s],
    ['demo', 'test', /of the demo.*test key.*cellar-door leave-test-mode/s],
    ['test', 'demo', /Stripe’s test mode.*this start is the demo.*cellar-door leave-test-mode/s],
    ['live', 'test', /real payments.*test key.*put the live key back/s],
    ['live', 'demo', /real payments.*this start is the demo/s],
  ])('a %s database refuses a start in mode %s, and says what to do', async (stored, own, message) => {
    await claim(stored);
    const refused = claim(own);
    await expect(refused).rejects.toBeInstanceOf(ConfigurationError);
    await expect(refused).rejects.toThrow(message);
    expect(await storedStripeMode(database.db)).toBe(stored);
  });

  it('a database with real payments cannot leave its mode: no message offers that', async () => {
    await claim('live');
    await expect(claim('test')).rejects.not.toThrow(/leave-test-mode/);
  });

  it('payments from before modes were recorded are never assumed to be real', async () => {
    await addPrice();
    await expect(claim('live')).rejects.toThrow(/leave-test-mode[\s\S]*insert into stripe_mode/);
    expect(await storedStripeMode(database.db)).toBeNull();
    await claim('test');
    expect(await storedStripeMode(database.db)).toBe('test');
  });

  it('is stored in a single row', async () => {
    await claim('test');
    const second = (only_row: boolean) =>
      database.db.insert(stripe_mode).values({ only_row, mode: 'live', since: NOW });
    await expect(second(true)).rejects.toThrow();
    await expect(second(false)).rejects.toThrow();
  });

  it('refuses every id that a connection of another mode writes, or of none', async () => {
    await claim('live');
    const event = { id: 'evt_1', type: 'invoice.paid', created_at: NOW, received_at: NOW };
    for (const other of ['test', 'demo', null] as const) {
      await writeAs(other);
      await expect(addPrice()).rejects.toMatchObject({
        cause: { message: expect.stringContaining('payments of this database are in mode live') },
      });
      await expect(database.db.insert(stripe_event).values(event)).rejects.toThrow();
    }
    await writeAs('live');
    await addPrice();
    await database.db.insert(stripe_event).values(event);
    await writeAs('test');
    await expect(database.db.update(tier_price).set({ amount_cents: 1 })).rejects.toThrow();
  });

  it('every table with ids from Stripe has that check', async () => {
    const unchecked = await rowsOf<{ table: string }>(
      database.db,
      sql`select distinct c.table_name as table from information_schema.columns c
           where c.table_schema = 'public'
             and (c.column_name like 'stripe\\_%\\_id' or c.table_name like 'stripe\\_%')
             and c.table_name <> 'stripe_mode'
             and not exists (select from pg_trigger t where t.tgname = 'refuse_other_stripe_mode'
                               and t.tgrelid = c.table_name::regclass)`,
    );
    expect(unchecked.map((it) => it.table)).toEqual([]);
  });
});
