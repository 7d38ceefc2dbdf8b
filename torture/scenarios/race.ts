import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';
import { type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { Journal, wrongInBooks } from '../journal.ts';
import { pick, randomFrom, type TortureOptions } from '../options.ts';
import { record, takeBack } from '../people/bartenders.ts';
import { cardMember, memberAct } from '../people/card-members.ts';
import { NoReply, signedIn } from '../people/client.ts';
import { type Arena, partnersOf, sharingAct } from '../people/sharing.ts';
import { PASSWORD, STAFF, seedVenueAt } from '../people/venue.ts';
import type { Progress, Report } from '../report.ts';
import { openQuery, startCluster } from '../servers/cluster.ts';
import { type TortureServer, tortureServer, WEBHOOK_SECRET } from '../servers/torture-server.ts';

const SERVERS = 3;
const AT_ONCE = 24;
const CARD_MEMBERS = 16;
const PARTNERS = 10;
const DAY_MS = 86_400_000;
/** The steps in which the clock moves through a month, so that renewals fall between other requests. */
const CLOCK_STEPS = 6;

export const race = {
  defaults: { rounds: 10_000, seconds: 900, seed: 1 },
  run: raceOnPostgres,
};

async function raceOnPostgres(options: TortureOptions, progress: Progress): Promise<Report> {
  const sandbox = await startSandbox({ port: 0, retryDelaysMs: [50, 200, 1000, 5000] });
  const cluster = await startCluster();
  const processes: TortureServer[] = [];
  try {
    const random = randomFrom(options.seed);
    const venue = await seedVenueAt(cluster.url, {
      thirsty: 40,
      modest: 60,
      people: CARD_MEMBERS + PARTNERS,
      applications: Math.ceil(options.rounds / 25),
    });
    for (let nth = 0; nth < SERVERS; nth++) {
      processes.push(await tortureServer(sandbox, { DATABASE_URL: cluster.url }));
    }
    await Promise.all(processes.map((it) => it.start()));
    const servers = processes.map(({ url }) => url);
    sandbox.setWebhook({ url: `${servers[0]}/api/stripe/webhook`, secret: WEBHOOK_SECRET });
    const staff = await signedIn(servers[0] ?? '', STAFF, PASSWORD, '10.0.0.1');
    const members = await Promise.all(
      venue.people
        .slice(0, CARD_MEMBERS)
        .map((person, nth) => cardMember(pick(random, servers), sandbox, person, nth)),
    );
    const partners = await partnersOf(servers[0] ?? '', venue.people.slice(CARD_MEMBERS));
    progress(`${members.length} members have paid by card; the race begins`);
    const arena: Arena = {
      servers,
      staff,
      seeded: venue,
      members,
      partners,
      journal: new Journal(),
      random,
      sandbox,
    };
    const acts = await attempts(arena, options, progress, async (step) => {
      const aheadMs = Math.round((step * 31 * DAY_MS) / CLOCK_STEPS);
      for (const server of processes) server.setClock(aheadMs);
      await control(sandbox, 'clock', { advance: (31 * 86_400) / CLOCK_STEPS });
    });
    // Waits for pending webhooks before the books are read.
    await control(sandbox, 'webhooks/idle', {});
    await Promise.all(
      members.map((it) =>
        it.client.call(servers[1] ?? '', 'POST', '/api/functions/verify-subscription-status', {}),
      ),
    );
    const { query, close } = await openQuery(cluster.url);
    const violations = await wrongInBooks(arena.journal, query);
    const [ledger] = await query(
      `select (select count(*) from pours) as pours, (select count(*) from pour_voids) as voids,
              (select count(*) from glass_grant where kind in ('period', 'advance')) as periods,
              (select count(*) from glass_change) as changes, (select count(*) from glass_debit) as debits,
              (select count(*) from glass_grant where kind = 'rollover') as rolled_over,
              (select count(*) from household_seat) as seats, (select count(*) from guest_glass) as guest_glasses,
              (select count(*) from billing_act where kind = 'pause') as pauses, (select count(*) from gift_membership where redeemed_at is not null) as gifts,
              (select count(*) from memberships where status = 'ended') as ended, (select count(*) from billing_reversal) as reversals`,
    );
    await close();
    for (const { output } of processes) violations.push(...crashesIn(output()));
    return {
      facts: [
        `attempts: ${[...acts]
          .sort()
          .map(([name, count]) => `${name} ${count}`)
          .join(', ')}`,
        `pours: ${arena.journal.summary()}`,
        `afterwards: ${Object.entries(ledger ?? {})
          .map(([name, count]) => `${name} ${String(count)}`)
          .join(', ')}`,
      ],
      violations,
    };
  } finally {
    await Promise.all(processes.map((it) => it.remove()));
    await cluster.remove();
    await sandbox.close();
  }
}

export async function attempts(
  arena: Arena,
  { rounds, seconds }: Pick<TortureOptions, 'rounds' | 'seconds'>,
  progress: Progress,
  moveClock: (step: number) => Promise<void>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const end = performance.now() + seconds * 1000;
  let count = 0;
  let step = 0;
  const runner = async () => {
    while (count < rounds && performance.now() < end) {
      count += 1;
      if (count % Math.ceil(rounds / 10) === 0) progress(`${count} attempts`);
      if (count % Math.ceil(rounds / (CLOCK_STEPS + 1)) === 0) await moveClock(++step);
      const name = await oneAttempt(arena);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runner));
  return counts;
}

async function oneAttempt(arena: Arena): Promise<string> {
  const { random, journal } = arena;
  const dice = random();
  if (dice < 0.5) return pourAttempt(arena);
  if (dice < 0.68) return voidAttempt(arena);
  try {
    // A server may be cut off while staff review or members act: nothing was promised then.
    if (dice < 0.76) return await reviewAttempt(arena);
    if (dice < 0.88) return await sharingAct(arena);
    const { name, reply } = await memberAct(
      random,
      () => pick(random, arena.servers),
      pick(random, arena.members),
    );
    // When all members renew at once, the payment service may be busy; the refusal's code says so.
    const isExcused =
      reply.status < 500 || ['PAYMENTS_UNAVAILABLE', 'SERVICE_UNAVAILABLE'].includes(reply.body?.code);
    if (!isExcused) journal.unexpected.push(`${name} was answered ${reply.status}`);
    return `${name} ${reply.status}`;
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    return 'unanswered';
  }
}

/** A new pour, sent to one server, or the same pour to two at once. */
async function pourAttempt(arena: Arena): Promise<string> {
  const { random, journal, seeded, members, partners } = arena;
  const from =
    random() < 0.3
      ? [...members, ...partners].flatMap(({ customer_id }) => customer_id ?? [])
      : random() < 0.6
        ? seeded.modest
        : seeded.thirsty;
  const quantity = 1 + Math.floor(random() * 3);
  const request = journal.open({ request_id: v7(), customer_id: pick(random, from), quantity });
  const isTwice = random() < 0.2;
  const twin = { ...request };
  await Promise.all(isTwice ? [record(arena, request), record(arena, twin)] : [record(arena, request)]);
  if (isTwice && twin.outcome !== request.outcome) {
    // A void between the two may free a glass for the second.
    if (request.outcome === 'refused') Object.assign(request, twin);
  }
  return `pour ${request.outcome}${isTwice ? ' (sent twice)' : ''}`;
}

async function voidAttempt(arena: Arena): Promise<string> {
  const pours = arena.journal.acknowledged();
  if (pours.length === 0) return 'void of nothing';
  await takeBack(arena, pick(arena.random, pours.slice(-50)));
  return 'void';
}

async function reviewAttempt({ random, journal, seeded, staff, servers }: Arena): Promise<string> {
  const id = pick(random, seeded.applications);
  const acts = random() < 0.8 ? ['approve', 'approve'] : ['approve', 'reject'];
  const review = (act: string) => {
    const body = act === 'approve' ? { toast_reference_number: 'T-1' } : {};
    return staff.call(pick(random, servers), 'POST', `/api/applications/${id}/${act}`, body);
  };
  const replies = await Promise.all(acts.map(review));
  const count = replies.filter(({ status }) => status === 200).length;
  if (count > 1) journal.unexpected.push(`application ${id} was reviewed twice`);
  for (const { status } of replies) {
    if (status !== 200 && status !== 409) journal.unexpected.push(`a review was answered ${status}`);
  }
  return `review ${count === 1 ? 'done' : 'refused'}`;
}

export async function control(sandbox: Sandbox, path: string, body: object): Promise<void> {
  for (let tries = 0; ; tries++) {
    const response = await fetch(`${sandbox.url}/_sandbox/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    if (response.ok) return;
    if (tries === 3)
      throw new Error(`The sandbox answered ${response.status} to ${path}: ${await response.text()}`);
    await wait(200);
  }
}

export function crashesIn(output: string): string[] {
  return output
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line) || /^\s*(TypeError|ReferenceError|Error):/.test(line))
    .filter((line) => !/cannot be reached|PAYMENTS_UNAVAILABLE|Stripe request failed/.test(line))
    .map((line) => `a server logged ${line.slice(0, 400)}`);
}
