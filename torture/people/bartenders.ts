import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Journal, Request } from '../journal.ts';
import { pick } from '../options.ts';
import { type Client, NoReply, type Reply } from './client.ts';
import type { Seeded } from './venue.ts';

interface Counter {
  staff: Client;
  servers: string[];
  journal: Journal;
  random: () => number;
}

interface BarOptions extends Counter {
  seeded: Pick<Seeded, 'thirsty' | 'modest'>;
  bartenders: number;
  restMs?: number;
}

const AGAIN_MS = 100;
const VOIDS = 0.3;
const MODEST = 0.2;
/** Statuses that mean "send it again": the server is unavailable, or a proxy has no server behind it. */
const LATER = new Set([502, 503, 504]);

const REFUSALS = new Set(['POURS_EXCEEDED', 'CUSTOMER_NOT_ACTIVE', 'GUEST_GLASS_REFUSED']);

/** Opens a bar with bartenders who pour and void as fast as the server responds, and repeat requests without a response. */
export function openBar(options: BarOptions) {
  const { journal, random, seeded, bartenders, restMs = 0 } = options;
  let isOpen = true;
  const work = async () => {
    while (isOpen) {
      const customer_id = pick(random, random() < MODEST ? seeded.modest : seeded.thirsty);
      const request = journal.open({ request_id: v7(), customer_id, quantity: 1 + Math.floor(random() * 2) });
      await record(options, request);
      if (request.outcome === 'recorded' && random() < VOIDS) await takeBack(options, request);
      if (restMs > 0) await wait(restMs);
    }
  };
  const shifts = Promise.all(Array.from({ length: bartenders }, work));
  return {
    /** Ends once every request in flight has a response, however often it must be sent again. */
    async close(): Promise<void> {
      isOpen = false;
      await shifts;
    },
  };
}

/** Sends a request to pour until there is a response, like the bar's offline queue. */
export async function record(counter: Counter, request: Request): Promise<void> {
  const { request_id, customer_id, quantity, guest_glass_id } = request;
  const reply = await untilAnswered(counter, '/api/pours', {
    request_id,
    customer_id,
    quantity,
    location: 'bar',
    ...(guest_glass_id && { guest_glass_id }),
  });
  if (reply.status === 201) {
    request.outcome = 'recorded';
    request.pour_id = reply.body.pour.id;
  } else if (reply.status === 409 && REFUSALS.has(reply.body.code)) {
    request.outcome = 'refused';
  } else {
    request.outcome = 'refused';
    counter.journal.unexpected.push(`a pour was answered ${reply.status} ${JSON.stringify(reply.body)}`);
  }
}

/** Voids a recorded pour. Sent again until there is a response, since a void may be repeated. */
export async function takeBack(counter: Counter, request: Request): Promise<void> {
  request.voided ??= 'asked';
  const reply = await untilAnswered(counter, `/api/pours/${request.pour_id}/void`, { reason: 'spilled' });
  if (reply.status === 200) request.voided = true;
  else counter.journal.unexpected.push(`a void was answered ${reply.status} ${JSON.stringify(reply.body)}`);
}

async function untilAnswered(counter: Counter, path: string, body: object): Promise<Reply> {
  const { staff, servers, journal, random } = counter;
  for (;;) {
    try {
      const reply = await staff.call(pick(random, servers), 'POST', path, body);
      journal.count(reply.status);
      if (!LATER.has(reply.status)) {
        journal.lastAcknowledged = performance.now();
        return reply;
      }
      if (reply.status === 503 && reply.body?.code && !reply.retryAfter) {
        journal.unexpected.push('a 503 of the server did not say when to try again');
      }
    } catch (error) {
      if (!(error instanceof NoReply)) throw error;
      journal.count(0);
    }
    await wait(AGAIN_MS);
  }
}
