import { eq, sql } from 'drizzle-orm';
import { afterAll, expect, it } from 'vitest';
import { openPostgres } from '../../src/server/db/client.ts';
import { deliveries, member_import_row, profiles } from '../../src/server/db/schema.ts';
import { emailBatch } from '../../src/server/imports/email-batch.ts';
import { importStep } from '../../src/server/imports/import-steps.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { importOf, settleImports, uploadFile } from '../support/fixtures/imports.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

// docs/rules/api.md, "Other limits": sent once, by any of a venue's servers.

const { app, staff, databaseUrl } = await openRaceApp();
const others = await Promise.all(
  Array.from({ length: 3 }, () => createTestApp({ databaseUrl, sandbox: app.sandbox, clock: app.clock })),
);
const servers: TestApp[] = [app, ...others];
afterAll(() => Promise.all(others.map((it) => it.close())));

/** Does a server's piece of work until there is none, on all servers at the same time. */
async function onAll(work: (server: TestApp) => Promise<boolean>): Promise<void> {
  await Promise.all(
    servers.map(async (server) => {
      while (await work(server));
    }),
  );
}

/** The addresses of all emails received so far whose address has that beginning. */
async function received(from: string): Promise<string[]> {
  const answer = await fetch(`${app.sandbox.url}/mailbox/api/messages`);
  const { messages } = (await answer.json()) as { messages: { to: string[] }[] };
  return messages.flatMap(({ to }) => to).filter((to) => to.startsWith(from));
}

const HEAD = 'Email,First name,Last name,Tier,Payment reference,Glasses left';
const people = (from: string, count: number) =>
  Array.from({ length: count }, (_, nth) => `${from}${nth}@example.test`);

it('of four servers that send what is due at once, one sends each email', async () => {
  const emails = people('reader', 100);
  for (const email of emails) {
    const to = { user_id: null, email };
    await app.services.outbox.enqueue(app.services.db, `test:${email}`, to, {
      subject: 'Open on Sunday',
      text: 'See you there.',
      html: '<p>See you there.</p>',
    });
  }
  await onAll(async (server) => (await server.services.deliveries.deliver('email')).sent > 0);
  expect((await received('reader')).sort()).toEqual(emails.sort());
  const tries = await app.services.db
    .select({ attempts: deliveries.attempts })
    .from(deliveries)
    .where(sql`${deliveries.cause} like 'test:%'`);
  expect(new Set(tries.map(({ attempts }) => attempts))).toEqual(new Set([1]));
});

it('an email that one server is claiming is left alone by the others', async () => {
  const { db, outbox } = app.services;
  const to = { user_id: null, email: 'claimed@example.test' };
  await outbox.enqueue(db, 'test:claimed', to, { subject: 'Open', text: 'Open.', html: '<p>Open.</p>' });
  await db.transaction(async (tx) => {
    await tx.select().from(deliveries).where(eq(deliveries.cause, 'test:claimed')).for('update');
    const [other] = others;
    expect(await other?.services.deliveries.deliver('email')).toEqual({ sent: 0, failed: 0 });
  });
  await onAll(async (server) => (await server.services.deliveries.deliver('email')).sent > 0);
  expect(await received('claimed')).toEqual(['claimed@example.test']);
});

it('of four servers that import one file, one makes each member and sends each email', async () => {
  const emails = people('arrival', 60);
  const rows = emails.map((email) => `${email},Ana,Ruiz,select,T-${email},`);
  const { id } = await uploadFile(staff, [HEAD, ...rows].join('\n'));
  await onAll((server) => importStep(server.services, 7));
  await settleImports(app);
  await staff.must('POST', `/api/imports/${id}/start`, {});
  await onAll((server) => importStep(server.services, 7));
  await settleImports(app);
  expect(await importOf(staff, id)).toMatchObject({ status: 'imported', imported_rows: 60, done_rows: 60 });
  const outcomes = await app.services.db
    .select({ outcome: member_import_row.outcome })
    .from(member_import_row)
    .where(eq(member_import_row.import_id, id));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(60).fill('imported'));
  await staff.must('POST', `/api/imports/${id}/emails`, {});
  await onAll((server) => emailBatch(server.services));
  await onAll(async (server) => (await server.services.deliveries.deliver('email')).sent > 0);
  expect(await importOf(staff, id)).toMatchObject({ emailed_rows: 60 });
  expect((await received('arrival')).sort()).toEqual(emails.sort());
});

it('a row says how many glasses are left, even if its tier is raised while it is imported', async () => {
  const { id } = await uploadFile(staff, `${HEAD}\nraised@example.test,Ana,Ruiz,select,T-raised,4`);
  await settleImports(app);
  await staff.must('POST', `/api/imports/${id}/start`, {});
  const other = await openPostgres(databaseUrl);
  let raised: Promise<unknown> = Promise.resolve();
  let imported: Promise<unknown> = Promise.resolve();
  await other.db.transaction(async (tx) => {
    // The raise has corrected the existing grants, and waits with its audit entry.
    await tx.execute(sql`lock table audit_entry in exclusive mode`);
    raised = staff.must('PATCH', '/api/tier-settings/select', { monthly_pours: 6 });
    await untilBlocked(app.services.db, 1);
    imported = importStep(app.services);
    await untilBlocked(app.services.db, 2);
  });
  await Promise.all([raised, imported]);
  await settleImports(app);
  await other.close();
  const [user] = await app.services.db
    .select({ id: profiles.id })
    .from(profiles)
    .where(eq(profiles.email, 'raised@example.test'));
  expect(await staff.must('GET', `/api/customers/${user?.id}`)).toMatchObject({ available_pours: 4 });
});
