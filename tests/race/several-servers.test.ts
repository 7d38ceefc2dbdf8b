import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { claimStripeMode } from '../../src/server/db/claim-stripe-mode.ts';
import { type Db, type OpenDatabase, openPostgres } from '../../src/server/db/client.ts';
import { listenPostgres } from '../../src/server/db/listen.ts';
import { openReplica, type ReplicaOptions } from '../../src/server/db/replica.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { profiles, scheduled_task, stripe_event } from '../../src/server/db/schema.ts';
import { takeTurn } from '../../src/server/db/task-turn.ts';
import { createDatabase } from '../support/harness/postgres.ts';
import { tcpProxy } from '../support/harness/tcp-proxy.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
let server: Awaited<ReturnType<typeof createDatabase>>;
let database: OpenDatabase;
let db: Db;
beforeAll(async () => {
  server = await createDatabase();
  database = await openPostgres(server.url);
  db = database.db;
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

describe('recurring work', () => {
  const beganAgo = (name: string, ago: string) =>
    db.insert(scheduled_task).values({ name, began_at: sql`now() - interval '${sql.raw(ago)}'` });

  it('is done by one server when several timers fire at once', async () => {
    for (let round = 0; round < 30; round += 1) {
      const name = `sweep ${round}`;
      const turns = await Promise.all(Array.from({ length: 10 }, () => takeTurn(db, name, 60_000)));
      expect(turns.filter(Boolean), name).toHaveLength(1);
    }
  });

  it('is not due again at once, and other work is', async () => {
    expect(await takeTurn(db, 'sweep', 60_000)).toBe(true);
    expect(await takeTurn(db, 'sweep', 60_000)).toBe(false);
    expect(await takeTurn(db, 'other work', 60_000)).toBe(true);
  });

  it('is due again after its time, whoever did it before', async () => {
    await beganAgo('due', '55 seconds');
    expect(await takeTurn(db, 'due', 60_000)).toBe(true);
    await beganAgo('not due', '50 seconds');
    expect(await takeTurn(db, 'not due', 60_000)).toBe(false);
  });

  it("goes on although the database's clock was set back", async () => {
    await beganAgo('ahead', '-1 hour');
    expect(await takeTurn(db, 'ahead', 60_000)).toBe(true);
  });
});

describe('a listener', () => {
  const listen = async (notify: (payload: string) => Promise<unknown>, echo: number) => {
    const heard: string[] = [];
    const listener = await listenPostgres(
      server.url,
      'news',
      {
        message: (payload) => heard.push(payload),
        missed: () => undefined,
        deaf: (isDeaf) => heard.push(isDeaf ? 'deaf' : 'hears'),
      },
      notify,
      { probeEvery: 20, echo },
    );
    onTestFinished(() => listener.close());
    return heard;
  };
  const notify = (payload: string) => db.execute(sql`select pg_notify('news', ${payload})`);

  it('detects that notifications arrive, and does not pass on its own', async () => {
    const heard = await listen(notify, 10_000);
    await notify('a change');
    await expect.poll(() => heard).toEqual(['hears', 'a change']);
  });

  it('detects that none arrive, as behind a pooler, until they do', async () => {
    let pooled = true;
    const heard = await listen(async (payload) => (pooled ? undefined : notify(payload)), 200);
    expect(heard).toEqual(['deaf']);
    pooled = false;
    await expect.poll(() => heard).toEqual(['deaf', 'hears']);
  });
});

it('behind a pooler, the Stripe mode of a server is read from its application name', async () => {
  await claimStripeMode(db, 'test', NOW);
  const event = (id: string) => ({ id, type: 'invoice.paid', created_at: NOW, received_at: NOW });
  const writeAs = (name: string, id: string) =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select set_config('application_name', ${name}, true)`);
      await tx.insert(stripe_event).values(event(id));
    });
  await writeAs('cellar-door test', 'evt_1');
  await expect(writeAs('cellar-door live', 'evt_2')).rejects.toThrow();
  await expect(writeAs('psql', 'evt_3')).rejects.toThrow();
  expect(await db.$count(stripe_event)).toBe(1);
});

describe('reads that may lag', () => {
  let replica: Awaited<ReturnType<typeof createDatabase>>;
  let inReplica: OpenDatabase;
  beforeAll(async () => {
    replica = await createDatabase();
    inReplica = await openPostgres(replica.url);
    const name = { name: 'R', first_name: 'R', last_name: 'R' };
    await inReplica.db
      .insert(profiles)
      .values({ id: crypto.randomUUID(), ...name, email: 'on@replica.test' });
  });
  afterAll(async () => {
    await inReplica.close();
    await replica.drop();
  });
  /** The URL of another database with the same tables, and a heartbeat of that age in seconds; null for none. */
  const replicaOf = async (age: number | null) => {
    await inReplica.db.delete(scheduled_task);
    if (age !== null) {
      await inReplica.db.execute(
        sql`insert into scheduled_task values ('replica heartbeat', now() - make_interval(secs => ${age}))`,
      );
    }
    return replica.url;
  };
  const open = (url: string, moved?: ReplicaOptions['moved']) => {
    const reads = openReplica(db, url, {
      maxLagSeconds: 5,
      checkEveryMs: 3_600_000,
      limits: { connect: 400, query: 400, close: 200 },
      moved,
    });
    onTestFinished(() => reads.close());
    return { ...reads, count: () => reads.read((from) => from.$count(profiles)) };
  };

  it('go to the replica when it is close behind', async () => {
    const { count, check } = open(await replicaOf(0));
    expect(await count()).toBe(0);
    await check();
    expect(await count()).toBe(1);
  });

  it.each([
    ['lags', 6],
    ['does not follow this primary', null],
  ])('go to the primary when the replica %s', async (_, age) => {
    const { count, check } = open(await replicaOf(age));
    await check();
    expect(await count()).toBe(0);
  });

  it('go to the primary while the replica is away, even in the middle of a read, and back when it returns', async () => {
    const proxy = await tcpProxy(await replicaOf(-60));
    onTestFinished(() => proxy.close());
    const moves: boolean[] = [];
    const { count, check } = open(proxy.url, (toReplica) => moves.push(toReplica));
    await check();
    expect(await count()).toBe(1);
    proxy.cutOff(true);
    expect(await count()).toBe(0);
    await check();
    expect(await count()).toBe(0);
    proxy.cutOff(false);
    await check();
    expect(await count()).toBe(1);
    expect(moves).toEqual([true, false, true]);
  });

  it('write the heartbeat that replicas are measured by', async () => {
    await open(server.url).check();
    const [beat] = await rowsOf<{ fresh: boolean }>(
      db,
      sql`select began_at > now() - interval '5 seconds' as fresh from scheduled_task where name = 'replica heartbeat'`,
    );
    expect(beat?.fresh).toBe(true);
  });
});
