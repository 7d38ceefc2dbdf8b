import * as p from '../http/params.ts';
import { type Route, route } from '../http/routes.ts';
import type { StoredEvent } from '../http/wire.ts';
import { page } from '../http/wire.ts';
import type { World } from './world.ts';

/** The event with its current number of open deliveries, which changes after recording. */
export function currentEvent(world: World, event: StoredEvent): StoredEvent {
  const deliveries = world.state.deliveries.filter(
    (delivery) => delivery.event === event.id && (delivery.state === 'pending' || delivery.state === 'held'),
  );
  return { ...event, pending_webhooks: deliveries.length };
}

function fitsType(type: string, pattern: string): boolean {
  return pattern === type || (pattern.endsWith('*') && type.startsWith(pattern.slice(0, -1)));
}

export const eventRoutes: Route[] = [
  route(
    'GET',
    '/v1/events',
    { ...p.paging, created: p.range, delivery_success: p.flag, type: p.text, types: p.listOf(p.text) },
    ({ world, params }) => {
      const types = params.types ?? (params.type === undefined ? null : [params.type]);
      const events = Object.values(world.state.events).filter((event) => {
        if (params.created && !params.created(event.created)) return false;
        if (params.delivery_success !== undefined) {
          const deliveries = world.state.deliveries.filter((delivery) => delivery.event === event.id);
          if (deliveries.every((delivery) => delivery.state === 'delivered') !== params.delivery_success)
            return false;
        }
        return types === null || types.some((pattern) => fitsType(event.type, pattern));
      });
      const list = page(events, params, '/v1/events');
      return { ...list, data: list.data.map((event) => currentEvent(world, event)) };
    },
  ),
];
