import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';
import { NoReply, type Reply } from '../people/client.ts';
import { BARTENDERS, type Fault, type Stage } from './stage.ts';

const WHILE_MS = 3_000;
const DAY_MS = 86_400_000;
const HALF_OPEN = 300;
/** Longer than a request may take to send its headers. */
const SLOW_WHILE_MS = 16_000;

/** Sends a pour for an unknown customer, missing from the journal, so it must never be recorded. Returns the response. */
async function tryToPour({ server, staff }: Stage): Promise<Reply | null> {
  const body = { request_id: v7(), customer_id: v7(), quantity: 1, location: 'bar' };
  return staff.call(server.url, 'POST', '/api/pours', body).catch((error) => {
    if (error instanceof NoReply) return null;
    throw error;
  });
}

/** Staff are asked to try again within the bar's 8 seconds. */
async function askedToTryAgain(stage: Stage): Promise<string[]> {
  const reply = await tryToPour(stage);
  if (!reply) return ['a pour was not answered'];
  const problems: string[] = [];
  if (reply.status !== 503 || reply.body?.code !== 'SERVICE_UNAVAILABLE')
    problems.push(`a pour was answered ${reply.status}`);
  if (!reply.retryAfter) problems.push('the answer has no Retry-After');
  if (reply.ms > 8_000) problems.push(`the answer took ${(reply.ms / 1000).toFixed(1)} s`);
  const page = await stage.staff.call(stage.server.url, 'GET', '/api/openapi.json');
  if (page.status !== 200) problems.push(`what needs no database was answered ${page.status}`);
  return problems;
}

async function pouringGoesOn(stage: Stage, forMs = WHILE_MS): Promise<string[]> {
  // Pours already in flight prove nothing.
  const target = stage.acknowledged() + BARTENDERS + 1;
  const end = performance.now() + forMs;
  while (stage.acknowledged() < target) {
    if (performance.now() > end) return ['no pour was recorded'];
    await wait(10);
  }
  return [];
}

async function paymentsUnavailable(stage: Stage): Promise<string[]> {
  const { server, member } = stage;
  const call = member.client.call(server.url, 'POST', '/api/billing/payment-method', {});
  const problems = await pouringGoesOn(stage);
  const { status, body, ms } = await call;
  if (body?.code !== 'PAYMENTS_UNAVAILABLE')
    problems.push(`a call about money was answered ${status} ${JSON.stringify(body)}`);
  if (ms > 10_000) problems.push(`a call about money took ${(ms / 1000).toFixed(1)} s`);
  const page = await member.client.call(server.url, 'GET', '/api/customers/own');
  if (page.status !== 200) problems.push(`the member's page was answered ${page.status}`);
  return problems;
}

const paymentsWork = async ({ server, member }: Stage) =>
  (await member.client.call(server.url, 'POST', '/api/billing/payment-method', {})).status === 200;

async function askForEmail(stage: Stage): Promise<string[]> {
  const { server, member, seeded } = stage;
  const [person] = seeded.people;
  const reply = await member.client.call(server.url, 'POST', '/api/auth/recover', { email: person?.email });
  const problems = await pouringGoesOn(stage);
  return reply.status < 300 ? problems : [...problems, `asking for an email was answered ${reply.status}`];
}

async function everythingSent({ query }: Stage): Promise<boolean> {
  const emails = await query("select id from deliveries where kind = 'email' and outcome is null");
  return emails.length === 0;
}

/** A first retry waits 30 seconds; moving the clock shortens that. */
const untilRetry = ({ server }: Stage) => server.setClock(120_000);

async function summaryMissing(stage: Stage): Promise<string[]> {
  const { server, staff, member } = stage;
  const call = staff.call(server.url, 'POST', '/api/functions/generate-profile-summary', {
    customerId: member.customer_id,
  });
  const problems = await pouringGoesOn(stage);
  const { status, ms } = await call;
  if (status >= 500 && status !== 503) problems.push(`a summary was answered ${status}`);
  if (ms > 14_000) problems.push(`a summary took ${(ms / 1000).toFixed(1)} s`);
  return problems;
}

const half: Socket[] = [];
function openHalf({ server }: Stage, text: string, count: number, isRead = true): void {
  const { port } = new URL(server.url);
  for (let nth = 0; nth < count; nth++) {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
    socket.on('error', () => socket.destroy());
    if (isRead) socket.resume();
    half.push(socket);
  }
}
const closeHalf = () => {
  for (const socket of half.splice(0)) socket.destroy();
};

let baseline = 0;
async function poursWithin(stage: Stage, ms: number): Promise<number> {
  const before = stage.acknowledged();
  await wait(ms);
  return stage.acknowledged() - before;
}

/** Connections that never end their headers, never send their body, or never read the response. */
const slowClients: Fault = {
  name: `${3 * HALF_OPEN} slow clients`,
  async begin(stage) {
    baseline = (await poursWithin(stage, 4_000)) * (SLOW_WHILE_MS / 4_000);
    openHalf(stage, 'GET /api/session HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', HALF_OPEN);
    const body =
      'Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"email":';
    openHalf(stage, `POST /api/auth/sign-in HTTP/1.1\r\n${body}`, HALF_OPEN);
    openHalf(stage, 'GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(20), HALF_OPEN, false);
  },
  async meanwhile(stage) {
    const problems: string[] = [];
    const pours = await poursWithin(stage, SLOW_WHILE_MS);
    if (pours < baseline / 3)
      problems.push(`only ${pours} pours were recorded, not about ${baseline.toFixed(0)}`);
    const count = half
      .slice(0, HALF_OPEN)
      .filter((socket) => !socket.destroyed && !socket.readableEnded).length;
    if (count > 0) problems.push(`${count} connections without the end of their headers are open after 16 s`);
    return problems;
  },
  end: closeHalf,
};

const clock = (name: string, byMs: number): Fault => ({
  name,
  begin: ({ server }) => server.setClock(byMs),
  async meanwhile(stage) {
    const problems = await pouringGoesOn(stage);
    const { status } = await stage.member.client.call(stage.server.url, 'GET', '/api/customers/own');
    return status === 200 ? problems : [...problems, `the member's page was answered ${status}`];
  },
  end: ({ server }) => server.setClock(0),
});

export const FAULTS: Fault[] = [
  {
    name: 'the database is away',
    begin: ({ database }) => database.cutOff(true),
    meanwhile: askedToTryAgain,
    end: ({ database }) => database.cutOff(false),
  },
  {
    name: 'the database is slow',
    begin: ({ database }) => database.slowDown(100),
    meanwhile: pouringGoesOn,
    end: ({ database }) => database.slowDown(0),
  },
  {
    name: 'the database takes connections and never answers',
    begin({ database }) {
      database.swallowNew(true);
      database.silence();
    },
    meanwhile: askedToTryAgain,
    end: ({ database }) => database.swallowNew(false),
  },
  {
    name: 'all connections to the database fall silent',
    begin: ({ database }) => database.silence(),
    meanwhile: async (stage) => {
      await tryToPour(stage);
      return [];
    },
    end: () => undefined,
  },
  {
    name: 'payments are away',
    begin: ({ payments }) => payments.cutOff(true),
    meanwhile: paymentsUnavailable,
    end: ({ payments }) => payments.cutOff(false),
    madeUpFor: paymentsWork,
  },
  {
    name: 'payments never answer',
    begin({ payments }) {
      payments.swallowNew(true);
      payments.silence();
    },
    meanwhile: paymentsUnavailable,
    end({ payments }) {
      payments.swallowNew(false);
      // Silent connections stay silent.
      payments.cutOff(true);
      payments.cutOff(false);
    },
    madeUpFor: paymentsWork,
  },
  {
    name: 'mail is away',
    begin: ({ mail }) => mail.cutOff(true),
    meanwhile: askForEmail,
    end(stage) {
      stage.mail.cutOff(false);
      untilRetry(stage);
    },
    madeUpFor: everythingSent,
  },
  {
    name: 'the model is away',
    begin: ({ model }) => model.cutOff(true),
    meanwhile: summaryMissing,
    end: ({ model }) => model.cutOff(false),
  },
  {
    name: 'the model never answers',
    begin: ({ model }) => model.swallowNew(true),
    meanwhile: summaryMissing,
    end: ({ model }) => model.swallowNew(false),
  },
  clock('the clock is set a day ahead', DAY_MS),
  clock('the clock is set a day back', -DAY_MS),
  slowClients,
];
