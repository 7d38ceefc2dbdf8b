import formRules from 'virtual:form-rules';
import { useQueryClient } from '@tanstack/react-query';
import type { Gift } from '../../../contract/gifts/gifts.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { GIFT_SENT_AT, giftDayText } from '../../format/gift-text.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
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
      const day = input.send_on === today ? 'today' : `on ${giftDayText(input.send_on)}`;
      toast.success(gift.sent_at ? 'We’ll send it again' : 'Saved', {
        description: `The email goes to ${input.recipient_email} ${day}.`,
      });
      void client.invalidateQueries({ queryKey: orpc.gifts.list.key() });
      onClose();
    },
    onError: (error) => serverMessage(error) ?? 'Nothing was changed. Please try again.',
  });
  return (
    <FormDialog
      form={form}
      title={gift.sent_at ? 'Send the Email Again' : 'Change the Email'}
      submitLabel={gift.sent_at ? 'Send Again' : 'Save'}
      busyLabel={gift.sent_at ? 'Sending...' : 'Saving...'}
      failureTitle="We couldn’t change the email"
      onClose={onClose}
    >
      <TextField label="Their Email" type="email" {...form.field('recipient_email')} />
      <TextField label="Day" type="date" hint={GIFT_SENT_AT} min={today} {...form.field('send_on')} />
      <p className="text-ink-muted text-sm">
        If you send it to a different address, it gets a new code and the old one stops working.
      </p>
    </FormDialog>
  );
}
