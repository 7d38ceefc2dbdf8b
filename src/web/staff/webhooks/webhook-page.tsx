import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { WebhookEndpoint } from '../../../contract/staff/webhooks.ts';
import { api, orpc } from '../../api/client.ts';
import { serverTime } from '../../api/server-clock.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { EnvelopePicture } from '../../ui/illustrations.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useAct } from '../use-act.ts';
import { formatDateTime } from '../venue-dates.ts';
import { DeliveryLog } from './delivery-log.tsx';
import { SecretPanel } from './secret-panel.tsx';
import { EVENT_LABELS, endpointState } from './webhook-text.ts';

export default function WebhookPage() {
  const { id } = useParams({ from: '/_staff/staff/webhooks/$id' });
  const query = useQuery(orpc.webhooks.list.queryOptions());
  const endpoint = query.data?.find((it) => it.id === id);
  const title = endpoint ? endpoint.description || new URL(endpoint.url).host : 'Webhook';
  return (
    <PageShell width="wide" title={title} back={<BackLink to="/staff/webhooks">Back to Webhooks</BackLink>}>
      <Loaded query={query} failed="We couldn’t load the endpoint" card lines={6}>
        {() =>
          endpoint ? (
            <>
              <EndpointCard endpoint={endpoint} />
              <DeliveryLog endpoint={endpoint} />
            </>
          ) : (
            <Card>
              <EmptyState picture={<EnvelopePicture />} title="This endpoint was removed" />
            </Card>
          )
        }
      </Loaded>
    </PageShell>
  );
}

type Asking = 'secret' | 'remove' | 'replay' | { secret: string } | null;

function EndpointCard({ endpoint }: { endpoint: WebhookEndpoint }) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState<Asking>(null);
  const { id, url, events, off, previous_secret_until } = endpoint;
  const state = endpointState(endpoint);
  const close = () => setAsking(null);
  const { busy, act: run } = useAct('That did not work. Please try again.', orpc.webhooks.key());
  const test = async () => {
    await api.webhooks.sendTest({ id });
    toast.success('Test sent. It will appear in the log in a few seconds.');
  };
  const replaceSecret = async () => setAsking({ secret: (await api.webhooks.rotateSecret({ id })).secret });
  const remove = async () => {
    await api.webhooks.delete({ id });
    toast.success('Endpoint removed', { nextPage: true });
    await navigate({ to: '/staff/webhooks' });
  };
  return (
    <Card title="Endpoint" aside={<Badge tone={state.tone}>{state.label}</Badge>}>
      <p className="break-all">{url}</p>
      <p className="text-ink-muted text-sm">{events.map((it) => EVENT_LABELS[it]).join(' · ')}</p>
      {previous_secret_until && (
        <p className="text-ink-muted text-sm">
          The previous secret works until {formatDateTime(previous_secret_until)}.
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-3 border-line border-t pt-5">
        {!off && (
          <>
            <Button variant="secondary" size="sm" disabled={busy} onClick={() => run(test)}>
              Send a Test
            </Button>
            <Button variant="secondary" size="sm" onClick={() => setAsking('replay')}>
              Send Again
            </Button>
          </>
        )}
        <Button
          variant={off ? 'primary' : 'secondary'}
          size="sm"
          disabled={busy}
          onClick={() => run(() => api.webhooks.update({ id, on: off !== null }))}
        >
          {off ? 'Turn On' : 'Turn Off'}
        </Button>
        <Button variant="secondary" size="sm" onClick={() => setAsking('secret')}>
          Replace Secret
        </Button>
        <Button variant="secondary" size="sm" onClick={() => setAsking('remove')}>
          Remove
        </Button>
      </div>
      <AlertDialog
        open={asking === 'secret'}
        title="Replace the secret?"
        description="You’ll get a new one. For 24 hours messages are signed with both, so that the other system has time to switch."
        confirmLabel="Replace"
        busyLabel="Replacing..."
        busy={busy}
        onConfirm={() => run(replaceSecret)}
        onClose={close}
      />
      <AlertDialog
        open={asking === 'remove'}
        title="Remove this endpoint?"
        description="It will get no more messages, not even those in the queue, and its log will be deleted."
        confirmLabel="Remove"
        busyLabel="Removing..."
        busy={busy}
        onConfirm={() => run(remove)}
        onClose={close}
      />
      {asking === 'replay' && <ReplayDialog id={id} onClose={close} />}
      {asking !== null && typeof asking === 'object' && (
        <Dialog title="Save the New Secret" onClose={close}>
          <SecretPanel secret={asking.secret} onDone={close} />
        </Dialog>
      )}
    </Card>
  );
}

const HOUR_MS = 3_600_000;
const SPANS = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
];

function ReplayDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { act } = useAct('We couldn’t send them again. Please try again.', orpc.webhooks.key());
  const form = useForm({
    fields: {},
    extra: ['hours'],
    values: { hours: '24' },
    onSubmit: async () => {
      const since = new Date(serverTime() - Number(form.values.hours) * HOUR_MS).toISOString();
      const sent = await act(async () => {
        const { replayed } = await api.webhooks.replaySince({ id, since });
        toast.success(replayed === 1 ? 'Sending 1 message again' : `Sending ${replayed} messages again`);
      });
      if (sent) onClose();
    },
  });
  return (
    <FormDialog
      form={form}
      title="Send Again"
      submitLabel="Send Again"
      busyLabel="Sending..."
      onClose={onClose}
    >
      <p>Every message of this time will be sent again with its original id, whether or not it arrived.</p>
      <SelectField id="replay-since" label="Messages of" options={SPANS} {...form.field('hours')} />
    </FormDialog>
  );
}
