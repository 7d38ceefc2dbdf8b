import { useInfiniteQuery } from '@tanstack/react-query';
import type { WebhookDelivery, WebhookEndpoint } from '../../../contract/staff/webhooks.ts';
import type { WebhookEvent } from '../../../domain/staff/webhook.ts';
import { api, orpc } from '../../api/client.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvelopePicture } from '../../ui/illustrations.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { toast } from '../../ui/toast.ts';
import { useAct } from '../use-act.ts';
import { formatDateTime } from '../venue-dates.ts';
import { EVENT_LABELS } from './webhook-text.ts';

const REFRESH_MS = 5_000;

export function DeliveryLog({ endpoint: { id, off } }: { endpoint: WebhookEndpoint }) {
  const query = useInfiniteQuery({
    queryKey: [...orpc.webhooks.key(), 'deliveries', id],
    queryFn: ({ pageParam: cursor, signal }) => api.webhooks.listDeliveries({ id, cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
    refetchInterval: REFRESH_MS,
  });
  return (
    <Loaded query={query} failed="We couldn’t load the log" card="Log" lines={6}>
      {({ pages }) => (
        <Card title="Log" aside={<span className="text-ink-muted text-sm">The last 30 days</span>}>
          {pages[0]?.deliveries.length === 0 ? (
            <EmptyState
              picture={<EnvelopePicture />}
              title="Nothing sent yet"
              text="Send a test to see whether it arrives."
            />
          ) : (
            <ol className="divide-y divide-line" aria-label="Messages, newest first">
              {pages
                .flatMap((page) => page.deliveries)
                .map((delivery) => (
                  <DeliveryRow key={delivery.id} delivery={delivery} isOff={off !== null} />
                ))}
            </ol>
          )}
          {query.hasNextPage && (
            <Button
              variant="secondary"
              className="mt-5"
              busy={query.isFetchingNextPage}
              busyLabel="Loading..."
              onClick={() => void query.fetchNextPage()}
            >
              Show Older Messages
            </Button>
          )}
        </Card>
      )}
    </Loaded>
  );
}

function DeliveryRow({ delivery, isOff }: { delivery: WebhookDelivery; isOff: boolean }) {
  const { busy, act } = useAct('We couldn’t send it again. Please try again.', orpc.webhooks.key());
  const replay = () =>
    act(async () => {
      await api.webhooks.replay({ id });
      toast.success('Sending again');
    });
  const state = deliveryState(delivery);
  const { id, type, happened_at, event_id, tries } = delivery;
  // A test event has no label of its own.
  const label = EVENT_LABELS[type as WebhookEvent] ?? 'Test';
  return (
    <li className="py-3">
      <details>
        <summary className="flex cursor-pointer flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="min-w-0">
            <span className="font-semibold">{label}</span>
            <span className="block text-ink-muted text-sm tabular-nums">{formatDateTime(happened_at)}</span>
          </span>
          <Badge tone={state.tone}>{state.label}</Badge>
        </summary>
        <div className="mt-3 flex flex-col gap-3">
          <p className="break-all font-code text-sm">{event_id}</p>
          <ul className="flex flex-col gap-2">
            {tries.map((it) => (
              <li key={it.at} className="text-sm">
                <span className="tabular-nums">{formatDateTime(it.at)}</span>
                {': '}
                {it.status === null ? it.error : `answered ${it.status}`}, {it.duration_ms} ms
                {it.answer && (
                  <pre className="mt-1 max-h-40 overflow-auto whitespace-pre-wrap break-all rounded-md bg-surface-sunken p-3 font-code">
                    {it.answer}
                  </pre>
                )}
              </li>
            ))}
          </ul>
          {!isOff && (
            <Button
              variant="secondary"
              size="sm"
              className="self-start"
              busy={busy}
              busyLabel="Sending..."
              onClick={replay}
            >
              Send Again
            </Button>
          )}
        </div>
      </details>
    </li>
  );
}

function deliveryState(delivery: WebhookDelivery): { label: string; tone: Tone } {
  const { delivered_at, given_up_at, next_attempt_at, tries } = delivery;
  if (delivered_at) return { label: 'Delivered', tone: 'positive' };
  if (given_up_at) return { label: 'Failed', tone: 'danger' };
  if (tries.length === 0 || !next_attempt_at) return { label: 'Queued', tone: 'neutral' };
  return { label: `Retrying ${formatDateTime(next_attempt_at)}`, tone: 'warning' };
}
