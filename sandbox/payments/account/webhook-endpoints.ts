import { blank } from '../http/blank.ts';
import { invalid, missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import { API_VERSION } from '../http/version.ts';
import type { WebhookEndpoint } from '../http/wire.ts';
import { newId, timeOf, type World } from '../store/world.ts';

const endpointFields = {
  description: p.clearable(p.text),
  enabled_events: p.listOf(p.text),
  metadata: p.metadata,
  url: p.url,
};

function findEndpoint(world: World, id: string): WebhookEndpoint {
  const endpoint = world.state.webhook_endpoints[id];
  if (!endpoint) throw missing('webhook endpoint', id, 'webhook_endpoint');
  return endpoint;
}

/** Throws 400 for an empty list, and for words that cannot name an event. */
function checkEvents(events: string[]): string[] {
  const pattern = /^(\*|[a-z0-9_]+(\.[a-z0-9_]+)+)$/;
  const index = events.findIndex((name) => !pattern.test(name));
  if (events.length === 0 || index >= 0)
    throw invalid(
      `Invalid enabled_events[${Math.max(index, 0)}]: must be a valid event type`,
      `enabled_events[${Math.max(index, 0)}]`,
    );
  return events;
}

export function hears({ status, enabled_events }: WebhookEndpoint, type: string): boolean {
  return status === 'enabled' && (enabled_events.includes('*') || enabled_events.includes(type));
}

export const webhookEndpointRoutes: Route[] = [
  route(
    'POST',
    '/v1/webhook_endpoints',
    {
      ...endpointFields,
      api_version: p.oneOf(API_VERSION),
      enabled_events: p.needed(p.listOf(p.text)),
      url: p.needed(p.url),
    },
    ({ world, params }) => {
      const endpoint: WebhookEndpoint = {
        ...blank('webhook_endpoint'),
        id: newId('we'),
        api_version: params.api_version ?? null,
        created: timeOf(world),
        description: params.description ?? null,
        enabled_events: checkEvents(params.enabled_events),
        metadata: p.mergedMetadata({}, params.metadata),
        status: 'enabled',
        url: params.url,
      };
      const secret = newId('whsec', 32);
      world.state.webhook_endpoints[endpoint.id] = endpoint;
      world.state.webhook_secrets[endpoint.id] = secret;
      // Only this response contains the secret.
      return { ...endpoint, secret };
    },
  ),
  list('/v1/webhook_endpoints', (state) => state.webhook_endpoints, {}),
  route('GET', '/v1/webhook_endpoints/:id', {}, ({ world, id }) => findEndpoint(world, id)),
  route(
    'POST',
    '/v1/webhook_endpoints/:id',
    { ...endpointFields, disabled: p.flag },
    ({ world, id, params }) => {
      const endpoint = findEndpoint(world, id);
      const { disabled, ...fields } = params;
      if (fields.enabled_events) checkEvents(fields.enabled_events);
      p.applyFields(endpoint, fields);
      if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled';
      return endpoint;
    },
  ),
  route('DELETE', '/v1/webhook_endpoints/:id', {}, ({ world, id }) => {
    findEndpoint(world, id);
    delete world.state.webhook_endpoints[id];
    delete world.state.webhook_secrets[id];
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];
