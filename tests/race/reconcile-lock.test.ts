import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import type { Ctx } from '../../src/server/context.ts';
import { openPostgres } from '../../src/server/db/client.ts';
import { updateTier } from '../../src/server/membership/tier-settings.ts';
import { glassesOf } from '../support/billing/glasses.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { openVenue } from '../support/billing/venue.ts';
import { createDatabase } from '../support/harness/postgres.ts';

test('a reconciliation waits for one in progress, and does not overwrite it with its older snapshot', async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const venue = await openVenue({ database: await openPostgres(url), overHttp: true });
  const { user } = await venue.member();
  await venue.webhooks('drop');
  const { id } = await venue.subscription(user);

  // The late one has fetched the renewing membership, and is held back.
  const list = venue.stripe.subscriptions.list.bind(venue.stripe.subscriptions);
  const [fetched, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isFirst = true;
  venue.stripe.subscriptions.list = (async (...args: Parameters<typeof list>) => {
    const page = await list(...args);
    if (isFirst) {
      isFirst = false;
      fetched.resolve();
      await go.promise;
    }
    return page;
  }) as unknown as typeof list;
  const late = venue.anotherProcess().reconcile(user);
  await fetched.promise;

  // The other has fetched the ending one, and is in the middle of its transaction.
  await venue.stripe.subscriptions.update(id, { cancel_at_period_end: true });
  const [writing, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const early = venue
    .anotherProcess({
      async post(tx, notice) {
        writing.resolve();
        await commit.promise;
        await venue.deps.post(tx, notice);
      },
    })
    .reconcile(user);
  await writing.promise;
  go.resolve();
  await untilBlocked(venue.db);
  commit.resolve();
  await Promise.all([early, late]);

  expect((await venue.state(user)).subscriptions).toMatchObject([{ cancel_at_period_end: true }]);
  expect(venue.noticeTypes().slice(2)).toEqual(['cancellation_scheduled']);
});

test('a renewal that is read while its tier is raised gives the new number, and waits before it holds anything else', async () => {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  const venue = await openVenue({ database: await openPostgres(url), overHttp: true });
  const other = await openPostgres(url);
  onTestFinished(() => other.close());
  const { user } = await venue.member();
  await venue.webhooks('drop');
  await venue.advance({ days: 31 });
  const actor = { user_id: user, role: 'staff' };
  const ctx = { ...venue.deps, actor } as unknown as Ctx;
  let raised: Promise<unknown> = Promise.resolve();
  let read: Promise<unknown> = Promise.resolve();
  await other.db.transaction(async (tx) => {
    // The raise has corrected the existing grants, and waits with its audit entry.
    await tx.execute(sql`lock table audit_entry in exclusive mode`);
    raised = updateTier(ctx, 'select', { monthly_pours: 6 });
    await untilBlocked(venue.db, 1);
    read = venue.anotherProcess().reconcile(user);
    await untilBlocked(venue.db, 2);
    await tx.execute(sql`select from billing_subscription for update nowait`);
  });
  await Promise.all([raised, read]);
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 6, available: 6 });
});
