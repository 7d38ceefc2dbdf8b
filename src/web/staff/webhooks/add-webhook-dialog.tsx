import formRules from 'virtual:form-rules';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../domain/staff/webhook.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { CheckboxList } from '../../ui/checkbox-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { SecretPanel } from './secret-panel.tsx';
import { EVENT_LABELS } from './webhook-text.ts';

/** Adds an endpoint, then shows its secret once. */
export function AddWebhookDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [events, setEvents] = useState<WebhookEvent[]>([...WEBHOOK_EVENTS]);
  const [secret, setSecret] = useState<string | null>(null);
  const form = useForm({
    rules: formRules.addWebhook,
    onSubmit: async ({ url, description }) => {
      const added = await api.webhooks.create({ url, description, events });
      setSecret(added.secret);
      await client.invalidateQueries({ queryKey: orpc.webhooks.list.key() });
    },
    onError: (error) => serverMessage(error) ?? 'We couldn’t add the endpoint. Please try again.',
  });
  if (secret) {
    return (
      <Dialog open title="Save the Secret" onClose={onClose}>
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
