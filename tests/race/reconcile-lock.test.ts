import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/server/db/client.ts';
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

  // The late one has fetched that the membership renews, and is held back.
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

  // The other has fetched that it ends, and is in the middle of its transaction.
  await venue.stripe.subscriptions.update(id, { cancel_at_period_end: true });
  const [writing, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const early = venue
    .anotherProcess({
      post: async () => {
        writing.resolve();
        await commit.promise;
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
