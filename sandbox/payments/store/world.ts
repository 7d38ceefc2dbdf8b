import { randomBytes } from 'node:crypto';
import { missing } from '../http/errors.ts';
import { API_VERSION } from '../http/version.ts';
import type { EventType, Invoice, StoredEvent } from '../http/wire.ts';
import { emptyState, type State } from './state.ts';

/** The request being handled, recorded in the events it causes. */
interface Cause {
  request: string | null;
  idempotency_key: string | null;
}

/** The whole payments service. Handlers change it synchronously; the caller saves before responding. */
export interface World {
  state: State;
  /** The URL by which a browser reaches the sandbox, without a trailing slash. */
  publicUrl: string;
  real(): number;
  /** The due time of the action being carried out late, which becomes its date. */
  moment: number | null;
  /** The invoices previewed last, by id; in memory only. */
  previews: Map<string, Invoice>;
  cause: Cause;
  /** Called for each new event, after it was added to the state. */
  onEvent(event: StoredEvent): void;
}

export function createWorld(options: { publicUrl: string; real: () => number; state?: State }): World {
  const base = emptyState(API_VERSION);
  const settings = { ...base.settings, ...options.state?.settings };
  return {
    state: { ...base, ...options.state, settings, api_version: API_VERSION },
    publicUrl: options.publicUrl,
    real: options.real,
    moment: null,
    previews: new Map(),
    cause: { request: null, idempotency_key: null },
    onEvent: () => undefined,
  };
}

/** Seconds on an object's clock: its test clock, or the sandbox's. */
export function timeOf(world: World, testClock: string | null = null): number {
  if (world.moment !== null) return world.moment;
  const frozenTime = testClock ? world.state.test_clocks[testClock]?.frozen_time : undefined;
  return frozenTime ?? sandboxTime(world);
}

/** Seconds on the sandbox's clock, also while something of a test clock is carried out. */
export function sandboxTime(world: World): number {
  return Math.floor((world.real() + world.state.clock_offset) / 1000);
}

/** The test clock of a customer; null if the customer is on the sandbox clock. */
export function clockOf(world: World, customer: string | null): string | null {
  return (customer && world.state.customers[customer]?.test_clock) || null;
}

/** Records an event with a copy of its object. `previous`: the old values of what changed, for `*.updated`. */
export function emit(
  world: World,
  type: EventType,
  object: object,
  previous?: Record<string, unknown>,
): void {
  const owner = object as { customer?: unknown; test_clock?: unknown };
  const clock =
    typeof owner.test_clock === 'string'
      ? owner.test_clock
      : clockOf(world, typeof owner.customer === 'string' ? owner.customer : null);
  const event: StoredEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: timeOf(world, clock),
    data: {
      object: structuredClone(object) as Record<string, unknown>,
      ...(previous ? { previous_attributes: structuredClone(previous) } : {}),
    },
    livemode: false,
    pending_webhooks: 0,
    request: { id: world.cause.request, idempotency_key: world.cause.idempotency_key },
    type,
  };
  world.state.events[event.id] = event;
  world.onEvent(event);
}

/** Runs `change` on an object and, if that changed anything, emits `type` with the old values. */
export function changed<T extends object>(
  world: World,
  type: EventType,
  object: T,
  change: () => void,
): void {
  const before = structuredClone(object);
  change();
  const previous: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(object)])) {
    const value = before[key as keyof T];
    if (JSON.stringify(value) !== JSON.stringify(object[key as keyof T])) previous[key] = value ?? null;
  }
  if (Object.keys(previous).length > 0) emit(world, type, object, previous);
}

/** Makes the look-up of one kind of object. It throws 404 for an id in the path, or 400 for one in the parameter `param`. */
export function finder<T>(noun: string, table: (state: State) => Record<string, T>) {
  return (world: World, id: string, param?: string): T => {
    const object = table(world.state)[id];
    if (!object) throw missing(noun, id, param ?? 'id', param ? 400 : 404);
    return object;
  };
}

const ALPHABET = 'abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ0123456789';

/** A new id such as `cus_h2K...`, with `length` characters after the prefix. */
export function newId(prefix: string, length = 24): string {
  let tail = '';
  for (const byte of randomBytes(length)) tail += ALPHABET[byte % ALPHABET.length];
  return `${prefix}_${tail}`;
}
