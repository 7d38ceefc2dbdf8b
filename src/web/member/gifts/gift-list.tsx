import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { giftEmail } from '../../../contract/forms/gift-fields.ts';
import type { Gift } from '../../../contract/gifts/gifts.ts';
import { formatAmount } from '../../../domain/money.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { GIFT_SENT_AT, giftDayText, giftStateText } from '../../format/gift-text.ts';
import { venueToday } from '../../format/venue-today.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';

export function GiftList({ gifts }: { gifts: Gift[] }) {
  if (gifts.length === 0) return null;
  return (
    <Card title="Gifts You Gave" padding="plain">
      <ul>
        {gifts.map((gift) => (
          <li key={gift.id} className="border-line border-t px-5 py-4 sm:px-7">
            <GiftRow gift={gift} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function GiftRow({ gift }: { gift: Gift }) {
  const [asking, setAsking] = useState<'refund' | 'email' | null>(null);
  const tierLabel = useTierLabel();
  const isOpen = gift.status === 'paid' && !gift.disputed;
  const refund = async () => {
    const { status } = await api.gifts.refund({ id: gift.id });
    toast.success(status === 'refunded' ? 'Refunded' : 'Your refund is on its way', {
      description: 'Your bank may take a few days to show it.',
    });
    return undefined;
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
      <div className="min-w-0">
        <p className="wrap-anywhere font-semibold">
          {gift.to_name ? `For ${gift.to_name}: ` : ''}
          {tierLabel(gift.tier)}, {gift.months} months
        </p>
        <p className="text-ink-muted text-sm">
          {gift.paid_at && `${formatAmount(gift.amount, gift.currency)} on ${dateOfInstant(gift.paid_at)}. `}
          {giftStateText(gift)}
        </p>
        {gift.status === 'paid' && gift.delivery === 'email' && (
          <p className="wrap-anywhere text-ink-muted text-sm">
            {gift.sent_at
              ? `Sent on ${dateOfInstant(gift.sent_at)}${gift.recipient_email ? ` to ${gift.recipient_email}` : ''}.`
              : gift.recipient_email
                ? `We’ll email it to ${gift.recipient_email}${gift.send_on ? ` on ${giftDayText(gift.send_on)}` : ''}.`
                : 'We no longer have an email for it. Please enter one.'}
          </p>
        )}
      </div>
      {isOpen && (
        <div className="flex flex-wrap gap-2">
          {gift.delivery === 'card' ? (
            <LinkButton to="/gift/$id" params={{ id: gift.id }} variant="secondary" size="sm">
              Show Card
            </LinkButton>
          ) : (
            <Button variant="secondary" size="sm" onClick={() => setAsking('email')}>
              {gift.sent_at ? 'Send Again' : 'Change'}
            </Button>
          )}
          <Button variant="secondary" size="sm" onClick={() => setAsking('refund')}>
            Refund
          </Button>
        </div>
      )}
      {asking === 'refund' && (
        <ActDialog
          title="Refund this gift?"
          description={`You’ll get ${formatAmount(gift.amount, gift.currency)} back, and its code will stop working right away.`}
          confirmLabel="Refund It"
          busyLabel="Refunding..."
          cancelLabel="Keep It"
          act={refund}
          failed="We couldn’t refund the gift. Please try again."
          reload={orpc.gifts.list.key()}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'email' && <ResendDialog gift={gift} onClose={() => setAsking(null)} />}
    </div>
  );
}

function ResendDialog({ gift, onClose }: { gift: Gift; onClose: () => void }) {
  const client = useQueryClient();
  const today = venueToday();
  const form = useForm({
    fields: giftEmail,
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
