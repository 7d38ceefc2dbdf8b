import { startSandbox } from '../../sandbox/index.ts';
import { type TcpProxy, tcpProxy } from '../../tests/support/harness/tcp-proxy.ts';
import type { Query } from '../invariants.ts';
import { Journal } from '../journal.ts';
import { randomFrom } from '../options.ts';
import { openBar } from '../people/bartenders.ts';
import { type CardMember, cardMember } from '../people/card-members.ts';
import { type Client, signedIn } from '../people/client.ts';
import { PASSWORD, type Seeded, STAFF, seedVenueAt } from '../people/venue.ts';
import { openQuery, startCluster } from '../servers/cluster.ts';
import { type TortureServer, tortureServer, WEBHOOK_SECRET } from '../servers/torture-server.ts';

/** The maximum number of pours in flight. */
export const BARTENDERS = 4;
const REST_MS = 50;

export interface Stage {
  server: Pick<TortureServer, 'url' | 'setClock'>;
  database: TcpProxy;
  payments: TcpProxy;
  mail: TcpProxy;
  model: TcpProxy;
  staff: Client;
  member: CardMember;
  seeded: Seeded;
  /** Reads the database, bypassing the proxy. */
  query: Query;
  acknowledged(): number;
}

export interface Fault {
  name: string;
  begin(stage: Stage): void | Promise<void>;
  /** Checks what members and staff see meanwhile; returns the problems. */
  meanwhile(stage: Stage): Promise<string[]>;
  end(stage: Stage): void | Promise<void>;
  /** Whether everything delayed has been caught up with, required within twenty seconds. */
  madeUpFor?(stage: Stage): Promise<boolean>;
}

/** Opens the stage, with a busy bar; `cleanups` collects cleanups, to run last first. */
export async function openStage(seed: number, cleanups: (() => unknown)[]) {
  const sandbox = await startSandbox({ port: 0 });
  cleanups.push(sandbox.close);
  const cluster = await startCluster();
  cleanups.push(cluster.remove);
  const venue = await seedVenueAt(cluster.url, { thirsty: 60, modest: 60, people: 1 });
  const proxyOf = async (url: string) => {
    const proxy = await tcpProxy(url);
    cleanups.push(proxy.close);
    return proxy;
  };
  const [database, payments, mail, model] = [
    await proxyOf(cluster.url),
    await proxyOf(sandbox.url),
    await proxyOf(sandbox.smtpUrl),
    await proxyOf(sandbox.modelUrl),
  ];
  const server = await tortureServer(sandbox, {
    DATABASE_URL: database.url,
    STRIPE_API_URL: payments.url,
    SMTP_URL: mail.url,
    SUMMARY_BASE_URL: model.url,
  });
  cleanups.push(server.remove);
  await server.start();
  sandbox.setWebhook({ url: `${server.url}/api/stripe/webhook`, secret: WEBHOOK_SECRET });
  const staff = await signedIn(server.url, STAFF, PASSWORD, '10.0.0.1');
  const [person] = venue.people;
  if (!person) throw new Error('Nobody was seeded');
  const member = await cardMember(server.url, sandbox, person, 0);
  const { query, close } = await openQuery(cluster.url);
  cleanups.push(close);
  const journal = new Journal();
  const bar = openBar({
    staff,
    servers: [server.url],
    seeded: venue,
    journal,
    random: randomFrom(seed),
    bartenders: BARTENDERS,
    restMs: REST_MS,
  });
  const acknowledged = () => journal.statuses.get(201) ?? 0;
  const stage: Stage = {
    server,
    database,
    payments,
    mail,
    model,
    staff,
    member,
    seeded: venue,
    query,
    acknowledged,
  };
  return { stage, journal, bar };
}
