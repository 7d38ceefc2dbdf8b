import type { WebhookDelivery, WebhookEndpoint } from '../../../contract/staff/webhooks.ts';
import type { WebhookEvent } from '../../../domain/staff/webhook.ts';
import { formatDateTime } from '../../format/dates.ts';
import type { Tone } from '../../ui/badge.tsx';

export const EVENT_LABELS: Record<WebhookEvent, string> = {
  'member.joined': 'Member joined',
  'member.tier_changed': 'Member changed tier',
  'member.left': 'Member left',
  'household.joined': 'Partner joined a household',
  'household.left': 'Partner left a household',
  'pour.recorded': 'Pour recorded',
  'pour.voided': 'Pour voided',
};

/** A test event has no label of its own. */
export const eventLabel = (type: string): string => EVENT_LABELS[type as WebhookEvent] ?? 'Test';

const OFF: Record<NonNullable<WebhookEndpoint['off']>['why'], string> = {
  failing: 'Off: no message was delivered for days',
  gone: 'Off: the URL no longer exists',
  secret_lost: 'Off: needs a new secret',
  staff: 'Off',
};

/** Whether the endpoint gets messages, in a word or two. */
export function endpointState({ off }: Pick<WebhookEndpoint, 'off'>): { label: string; tone: Tone } {
  if (!off) return { label: 'On', tone: 'positive' };
  return { label: OFF[off.why], tone: off.why === 'staff' ? 'neutral' : 'danger' };
}

export function deliveryState(delivery: WebhookDelivery): { label: string; tone: Tone } {
  const { delivered_at, given_up_at, next_attempt_at, tries } = delivery;
  if (delivered_at) return { label: 'Delivered', tone: 'positive' };
  if (given_up_at) return { label: 'Failed', tone: 'danger' };
  if (tries.length === 0 || !next_attempt_at) return { label: 'Queued', tone: 'neutral' };
  return { label: `Retrying ${formatDateTime(next_attempt_at)}`, tone: 'warning' };
}
