import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { webhookFields } from '../../../contract/forms/staff-fields.ts';
import type { WebhookEndpoint } from '../../../contract/staff/webhooks.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../domain/staff/webhook.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CheckboxList } from '../../ui/checkbox-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { EnvelopePicture } from '../../ui/illustrations.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import { formatDateTime } from '../venue-dates.ts';
import { SecretPanel } from './secret-panel.tsx';
import { EVENT_LABELS, endpointState } from './webhook-text.ts';

export default function WebhooksPage() {
  const query = useQuery(orpc.webhooks.list.queryOptions());
  const [adding, setAdding] = useState(false);
  return (
    <PageShell
      width="wide"
      title="Webhooks"
      lead="Tell your other systems when members join, change tier or leave, and when a pour is recorded. Messages contain ids, never names."
      back={useBackToMore()}
      actions={
        <Button size="sm" onClick={() => setAdding(true)}>
          Add Endpoint
        </Button>
      }
    >
      <Loaded query={query} failed="We couldn’t load the endpoints" card lines={4}>
        {(data) => <Endpoints endpoints={data} />}
      </Loaded>
      {adding && <AddWebhookDialog onClose={() => setAdding(false)} />}
    </PageShell>
  );
}

function Endpoints({ endpoints }: { endpoints: WebhookEndpoint[] }) {
  if (endpoints.length === 0) {
    return (
      <Card>
        <EmptyState
          picture={<EnvelopePicture />}
          title="No endpoints yet"
          text="Add the URL of a system to notify, such as your point of sale."
        />
      </Card>
    );
  }
  return (
    <Card padding="plain">
      <ul className="divide-y divide-line" aria-label="Endpoints">
        {endpoints.map((endpoint) => (
          <EndpointRow key={endpoint.id} endpoint={endpoint} />
        ))}
      </ul>
    </Card>
  );
}

function EndpointRow({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { id, url, description, waiting, last_success_at } = endpoint;
  const state = endpointState(endpoint);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-4 sm:px-7">
      <div className="min-w-0">
        <p className="font-semibold">
          <Link to="/staff/webhooks/$id" params={{ id }} className="link wrap-anywhere">
            {description || new URL(url).host}
          </Link>
        </p>
        <p className="break-all text-sm">{url}</p>
        <p className="text-ink-muted text-sm">
          {last_success_at ? `Last delivery ${formatDateTime(last_success_at)}` : 'Nothing delivered yet'}
          {waiting > 0 && ` · ${waiting} waiting`}
        </p>
      </div>
      <Badge tone={state.tone}>{state.label}</Badge>
    </li>
  );
}

function AddWebhookDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [events, setEvents] = useState<WebhookEvent[]>([...WEBHOOK_EVENTS]);
  const [secret, setSecret] = useState<string | null>(null);
  const form = useForm({
    fields: webhookFields,
    onSubmit: async ({ url, description }) => {
      const endpoint = await api.webhooks.create({ url, description, events });
      setSecret(endpoint.secret);
      await client.invalidateQueries({ queryKey: orpc.webhooks.list.key() });
    },
    onError: (error) => serverMessage(error) ?? 'We couldn’t add the endpoint. Please try again.',
  });
  if (secret) {
    return (
      <Dialog title="Save the Secret" onClose={onClose}>
        <SecretPanel secret={secret} onDone={onClose} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      form={form}
      title="Add an Endpoint"
      submitLabel="Add Endpoint"
      busyLabel="Adding..."
      disabled={events.length === 0}
      onClose={onClose}
    >
      <TextField
        label="URL"
        hint="It starts with https://"
        inputMode="url"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        {...form.field('url')}
      />
      <TextField label="Description" hint="For example: Point of sale" {...form.field('description')} />
      <CheckboxList
        legend="Messages to send"
        values={WEBHOOK_EVENTS}
        chosen={events}
        onChange={setEvents}
        label={(event) => EVENT_LABELS[event]}
      />
    </FormDialog>
  );
}
