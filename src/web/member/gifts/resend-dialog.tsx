import formRules from 'virtual:form-rules';
import { useQueryClient } from '@tanstack/react-query';
import type { Gift } from '../../../contract/gifts/gifts.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { GIFT_SENT_AT } from '../../format/gift-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';

/** Changes the email or the day, or sends the same email again. */
export function ResendDialog({ gift, onClose }: { gift: Gift; onClose: () => void }) {
  const client = useQueryClient();
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: site.time_zone }).format(new Date());
  const form = useForm({
    rules: formRules.resendGift,
    values: {
      recipient_email: gift.recipient_email ?? '',
      send_on: gift.send_on && gift.send_on > today ? gift.send_on : today,
    },
    onSubmit: async (input) => {
      await api.gifts.resend({ ...input, id: gift.id });
      toast.success('Saved', { description: 'The email goes out on that day.' });
      void client.invalidateQueries({ queryKey: orpc.gifts.list.key() });
      onClose();
    },
    onError: (error) => serverMessage(error) ?? 'Nothing was changed. Please try again.',
  });
  return (
    <Dialog open title="Send the email" onClose={form.busy ? () => undefined : onClose}>
      <form {...form.props} aria-label="Send the email" className="flex flex-col gap-5">
        <TextField label="Their Email" type="email" {...form.field('recipient_email')} />
        <TextField
          label="On This Day"
          type="date"
          hint={GIFT_SENT_AT}
          min={today}
          {...form.field('send_on')}
        />
        <p className="text-ink-muted text-sm">
          If you send it to a different address, it gets a new code and the old one stops working.
        </p>
        <FormError of={form.failure} title="The email was not changed" />
        <FormButtons busy={form.busy} busyLabel="Saving..." onCancel={onClose}>
          Send
        </FormButtons>
      </form>
    </Dialog>
  );
}
