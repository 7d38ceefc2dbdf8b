import type { WebhookEndpoint } from '../../../contract/staff/webhooks.ts';
import type { WebhookEvent } from '../../../domain/staff/webhook.ts';
import type { Tone } from '../../ui/badge.tsx';

export const EVENT_LABELS: Record<WebhookEvent, string> = {
  'member.joined': 'Member joined',
  'member.tier_changed': 'Member changed tier',
  'member.left': 'Member left',
  'member.dues_recorded': 'Payment at the venue',
  'household.joined': 'Partner joined a household',
  'household.left': 'Partner left a household',
  'pour.recorded': 'Pour recorded',
  'pour.voided': 'Pour voided',
  'benefit.used': 'Benefit taken',
  'benefit.voided': 'Benefit undone',
};

const OFF: Record<NonNullable<WebhookEndpoint['off']>['why'], string> = {
  failing: 'Off: no message was delivered for days',
  gone: 'Off: the URL no longer exists',
  secret_lost: 'Off: needs a new secret',
  staff: 'Off',
};

export function endpointState({ off }: Pick<WebhookEndpoint, 'off'>): { label: string; tone: Tone } {
  if (!off) return { label: 'On', tone: 'positive' };
  return { label: OFF[off.why], tone: off.why === 'staff' ? 'neutral' : 'danger' };
}
