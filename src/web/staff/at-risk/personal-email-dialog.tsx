import formRules from 'virtual:form-rules';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberAtRisk } from '../../../contract/staff/members-at-risk.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';

const REFUSED = {
  not_at_risk: 'Nothing was sent: this member is no longer at risk.',
  not_agreed: 'Nothing was sent: they have not agreed to these emails.',
  opted_out: 'Nothing was sent: they want no such emails.',
  too_soon: 'Nothing was sent: someone already wrote to them in the last 30 days.',
} as const;

/** The email, which staff read, change and send. */
export function PersonalEmailDialog({ member, onClose }: { member: MemberAtRisk; onClose: () => void }) {
  const { customer_id, name, draft } = member;
  const client = useQueryClient();
  // One email per dialog: a double tap or a retry sends it once.
  const [request_id] = useState(() => crypto.randomUUID());
  const form = useForm({
    rules: formRules.sendLetter,
    values: draft,
    onSubmit: async (input) => {
      try {
        await api.outreach.sendLetter({ customer_id, request_id, ...input });
        toast.success(`Sent to ${name}`);
        onClose();
      } finally {
        void client.invalidateQueries({ queryKey: orpc.outreach.listAtRisk.key() });
      }
    },
    onError: (error) => {
      const refused = refusalOf(error, 'LETTER_REFUSED');
      return refused ? REFUSED[refused.data.reason] : (serverMessage(error) ?? 'Not sent. Please try again.');
    },
  });
  return (
    <FormDialog
      form={form}
      title={`Write to ${name}`}
      width="wide"
      description="We add a greeting, the club’s name, and a line on how to stop these emails."
      onClose={onClose}
      submitLabel="Send"
      busyLabel="Sending..."
    >
      <TextField label="Subject" {...form.field('subject')} />
      <TextareaField label="Text" rows={8} {...form.field('text')} />
    </FormDialog>
  );
}
