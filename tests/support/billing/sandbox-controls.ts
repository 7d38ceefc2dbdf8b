import type { VenueParts } from './venue-parts.ts';

interface Delivery {
  event: string;
  type: string;
}

export interface SandboxControls {
  /** Calls one of the sandbox's control routes. Throws its error. */
  control<T = Record<string, unknown>>(path: string, body?: object): Promise<T>;
  webhooks(mode: 'normal' | 'drop' | 'duplicate' | 'hold'): Promise<void>;
  deliveryMode(): Promise<string>;
  /** Webhooks that the sandbox has not delivered yet or is holding. */
  listDeliveries(): Promise<Delivery[]>;
  /** Sends one held webhook of this type, and waits for the response. */
  release(type: string): Promise<void>;
  /** Resolves when every due webhook has a response. */
  delivered(): Promise<void>;
  /** Moves both clocks, and lets Stripe do everything due on the way. */
  advance(time: { days?: number; minutes?: number }): Promise<void>;
}

export function sandboxControls({ sandbox, clock }: VenueParts): SandboxControls {
  const control = async <T>(path: string, body: object = {}): Promise<T> => {
    const response = await sandbox.fetch(`${sandbox.url}/_sandbox/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
    });
    const json = (await response.json()) as T & { error?: string };
    if (!response.ok) throw new Error(json.error);
    return json;
  };
  const delivered = async () => {
    await control('webhooks/idle');
  };
  const sent = async () => {
    const response = await sandbox.fetch(`${sandbox.url}/_sandbox/webhooks`);
    return (await response.json()) as { mode: string; deliveries: Delivery[] };
  };
  const listDeliveries = async () => (await sent()).deliveries;
  return {
    control,
    delivered,
    listDeliveries,
    deliveryMode: async () => (await sent()).mode,
    async webhooks(mode) {
      await control('webhooks', { mode });
    },
    async release(type) {
      const { event } = (await listDeliveries()).findLast((it) => it.type === type) ?? {};
      if (!event) throw new Error(`No ${type} is held`);
      await control('webhooks/release', { event });
      await delivered();
    },
    async advance({ days = 0, minutes = 0 }) {
      clock.advance({ days, minutes });
      await control('clock', { advance: 0 });
      await delivered();
    },
  };
}
