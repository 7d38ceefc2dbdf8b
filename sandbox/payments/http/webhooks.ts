import { createHmac } from 'node:crypto';
import type { Fetch } from '../../in-process.ts';
import { hears } from '../account/webhook-endpoints.ts';
import { currentEvent } from '../store/events.ts';
import type { Delivery } from '../store/state.ts';
import type { World } from '../store/world.ts';
import { newId } from '../store/world.ts';
import { type StoredEvent, serialize } from './wire.ts';

export interface Endpoint {
  url: string;
  secret: string;
  /** The event types this endpoint gets; absent means all. */
  events?: readonly string[];
}

/**
 * How events are sent. `drop` loses them, `duplicate` sends each twice, `hold` keeps them until released. `concurrency` is
 * how many are sent at once: Stripe sends the next event without waiting for a response, and guarantees no order.
 */
interface Mode {
  mode: 'normal' | 'drop' | 'duplicate' | 'hold';
  concurrency: number;
}

export const DEFAULT_MODE: Mode = { mode: 'normal', concurrency: 8 };

export interface Webhooks {
  /** Replaces the endpoint that was configured at the start. */
  setEndpoint(endpoint: Endpoint | null): void;
  endpoint(): Endpoint | null;
  mode(): Mode;
  setMode(mode: Partial<Mode>): void;
  /** Sends the held events, or one of them, in the order of creation or reversed. Returns how many. */
  release(options?: { event?: string; reverse?: boolean }): number;
  /** Sends an event again, delivered or not. Returns false for an unknown event. */
  replay(event: string): boolean;
  /** Starts due deliveries now. */
  kick(): void;
  /** Resolves when nothing is due or being sent; later retries do not count. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/** Stripe's signature header for a body at a time in seconds: `t=...,v1=...` */
export function signature(body: string, secret: string, seconds: number): string {
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}

/** Why there was no response, in one word such as ECONNREFUSED or TimeoutError. */
function reasonOf(failure: unknown): string {
  const cause = failure instanceof Error ? (failure.cause as { code?: unknown } | undefined) : undefined;
  if (typeof cause?.code === 'string') return cause.code;
  return failure instanceof Error ? failure.name : String(failure);
}

/** Starts sending. Deliveries are part of the world's state; `save` runs after each change to one. */
export function createWebhooks(options: {
  world: World;
  save: () => void;
  retryDelaysMs: number[];
  timeoutMs: number;
  endpoint: Endpoint | null;
  send: Fetch;
}): Webhooks {
  const { world, save, retryDelaysMs, send } = options;
  let defaultEndpoint = options.endpoint;
  let mode: Mode = DEFAULT_MODE;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const inFlight = new Map<string, Promise<void>>();
  const stop = new AbortController();

  const queue = (event: StoredEvent, endpoint: string | undefined, state: Delivery['state'], due: number) => {
    const to = endpoint === undefined ? {} : { endpoint };
    world.state.deliveries.push({ id: newId('whd', 14), event: event.id, ...to, state, due, attempts: [] });
  };

  /** The receivers of an event: the configured endpoint (undefined), and those made over the API for its type. */
  const receiversOf = ({ type }: StoredEvent): (string | undefined)[] => [
    ...(defaultEndpoint && (defaultEndpoint.events?.includes(type) ?? true) ? [undefined] : []),
    ...Object.values(world.state.webhook_endpoints)
      .filter((endpoint) => hears(endpoint, type))
      .map(({ id }) => id),
  ];

  const schedule = (event: StoredEvent, endpoint: string | undefined) => {
    const now = world.real();
    if (mode.mode === 'drop') queue(event, endpoint, 'dropped', now);
    else queue(event, endpoint, mode.mode === 'hold' ? 'held' : 'pending', now);
    if (mode.mode === 'duplicate') queue(event, endpoint, 'pending', now);
  };

  world.onEvent = (event: StoredEvent) => {
    for (const endpoint of receiversOf(event)) schedule(event, endpoint);
  };

  /** The current endpoint of a delivery; null if it has been disabled or deleted. */
  const targetOf = ({ endpoint }: Delivery): Endpoint | null => {
    if (endpoint === undefined) return defaultEndpoint;
    const target = world.state.webhook_endpoints[endpoint];
    const secret = world.state.webhook_secrets[endpoint];
    return target?.status === 'enabled' && secret ? { url: target.url, secret } : null;
  };

  const attempt = async (delivery: Delivery) => {
    const event = world.state.events[delivery.event];
    const target = targetOf(delivery);
    if (!event || !target) {
      // Stripe sends nothing more to a disabled or deleted endpoint.
      delivery.state = event ? 'dropped' : 'failed';
      return;
    }
    const body = serialize(currentEvent(world, event));
    const at = world.real();
    let status: number | null = null;
    let error: string | null = null;
    try {
      const response = await send(target.url, {
        method: 'POST',
        redirect: 'manual',
        body,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
          'stripe-signature': signature(body, target.secret, Math.floor(at / 1000)),
        },
        signal: AbortSignal.any([stop.signal, AbortSignal.timeout(options.timeoutMs)]),
      });
      status = response.status;
      await response.body?.cancel();
    } catch (failure) {
      error = reasonOf(failure);
    }
    // An attempt aborted by closing does not count; the delivery is due at the next start.
    if (isClosed) return;
    delivery.attempts.push({ at, status, error });
    if (status !== null && status >= 200 && status < 300) delivery.state = 'delivered';
    else {
      const wait = retryDelaysMs[delivery.attempts.length - 1];
      if (wait === undefined) delivery.state = 'failed';
      else delivery.due = world.real() + wait;
    }
    save();
  };

  /** Deliveries to the configured endpoint wait until there is one. */
  const canGo = (entry: Delivery) =>
    entry.state === 'pending' && (entry.endpoint !== undefined || defaultEndpoint !== null);

  const pump = () => {
    clearTimeout(timer);
    timer = undefined;
    if (isClosed) return;
    const queue = world.state.deliveries
      .filter((entry) => canGo(entry) && !inFlight.has(entry.id))
      .sort((a, b) => a.due - b.due);
    for (const delivery of queue) {
      if (inFlight.size >= mode.concurrency) return;
      const wait = delivery.due - world.real();
      if (wait > 0) {
        timer = setTimeout(pump, Math.min(Math.ceil(wait), 60_000));
        timer.unref();
        return;
      }
      const promise = attempt(delivery).finally(() => {
        inFlight.delete(delivery.id);
        pump();
      });
      inFlight.set(delivery.id, promise);
    }
  };

  return {
    setEndpoint(next) {
      defaultEndpoint = next;
      pump();
    },
    endpoint: () => defaultEndpoint,
    mode: () => mode,
    setMode(next) {
      mode = { ...mode, ...next };
      pump();
    },
    release({ event, reverse } = {}) {
      const deliveries = world.state.deliveries.filter(
        (entry) => entry.state === 'held' && (event === undefined || entry.event === event),
      );
      const now = world.real();
      for (const [place, delivery] of (reverse ? deliveries.toReversed() : deliveries).entries()) {
        delivery.state = 'pending';
        delivery.due = now - deliveries.length + place;
      }
      save();
      pump();
      return deliveries.length;
    },
    replay(event) {
      const entry = world.state.events[event];
      if (!entry) return false;
      for (const endpoint of receiversOf(entry)) queue(entry, endpoint, 'pending', world.real());
      save();
      pump();
      return true;
    },
    kick: pump,
    async idle() {
      const due = () => world.state.deliveries.some((entry) => canGo(entry) && entry.due <= world.real());
      while (!isClosed && (inFlight.size > 0 || due())) {
        pump();
        await Promise.race(inFlight.values());
      }
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      stop.abort();
      await Promise.allSettled(inFlight.values());
    },
  };
}
