import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { referenceNumber } from '../../../contract/forms/staff-fields.ts';
import type { RefusalData } from '../../../contract/refusals.ts';
import type { Dues } from '../../../contract/staff/dues.ts';
import { DUES_METHODS, type DuesMethod, monthsLeftText } from '../../../domain/membership/dues.ts';
import { formatAmount } from '../../../domain/money.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { isUnanswered } from '../../api/in-time.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { dateOfDay } from '../../format/dates.ts';
import { duesPrice, tierPrice } from '../../format/money.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { errorToast, toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useSend } from '../../ui/use-send.ts';
import { refreshMembers } from '../refresh-members.ts';
import { changeTitle, DUES_OBSTACLE_TEXT, METHODS, TIER_OBSTACLE_TEXT } from './dues-text.ts';

interface ChangeTierProps {
  customerId: string;
  name: string;
  tier: string;
  dues: Dues;
  /** How the last payment was made. */
  method: DuesMethod | undefined;
  /** Staff may also schedule a tier, without a payment. */
  manages: boolean;
  onClose: () => void;
}

/**
 * Changes the tier of a membership at the venue: within a year that is paid once at once, against the difference at the till, or
 * from the next unpaid day on.
 */
export function ChangeTierDialog({ customerId, name, manages, onClose, ...opened }: ChangeTierProps) {
  const queries = useQueryClient();
  const group = useId();
  const tierLabel = useTierLabel();
  const [requestId] = useState(() => crypto.randomUUID());
  // As it was when the dialog opened, so that the amount never changes under the finger.
  const [{ tier, dues }] = useState(opened);
  const [change, setChange] = useState<RefusalData['DUES_CHANGED'] | null>(null);
  const { data: tiers = [] } = useQuery(orpc.tiers.list.queryOptions());
  const upTo = (name: string | undefined) => dues.tiers_up.find((it) => it.tier === name);
  const others = tiers.filter(
    ({ tier_name }) => tier_name !== tier && (manages || upTo(tier_name) !== undefined),
  );
  const { state, paid_until } = dues;
  const laterFrom = state === 'paid' || state === 'due' ? paid_until : null;

  const form = useForm({
    fields: { reference: referenceNumber },
    extra: ['tier', 'when', 'method'],
    values: { when: 'now', method: opened.method ?? 'cash' },
    onSubmit: async ({ reference }) => {
      if (!to) return;
      const { tier_name } = to;
      try {
        if (up) {
          const method = DUES_METHODS.find((it) => it === form.values.method) ?? 'cash';
          const payment = { request_id: requestId, reference, method, amount_cents: up.amount_cents };
          const shown = { from_tier: tier, paid_until };
          await api.memberDues.recordDifference({
            ...{ customer_id: customerId, tier: tier_name },
            ...payment,
            ...shown,
          });
          toast.success('Payment recorded', { description: `${name} has ${tierLabel(tier_name)} now.` });
        } else {
          await api.billing.changeTierAtVenue({ customer_id: customerId, tier_name });
          toast.success(laterFrom === null ? 'Tier changed' : 'Tier change scheduled');
        }
        onClose();
      } finally {
        refreshMembers(queries);
      }
    },
    onError: (error) => {
      const changed = refusalOf(error, 'DUES_CHANGED');
      if (changed) {
        setChange(changed.data);
        return undefined;
      }
      const refusal = refusalOf(error, 'TIER_CHANGE_REFUSED');
      const dues = refusalOf(error, 'DUES_REFUSED');
      const text =
        (refusal && TIER_OBSTACLE_TEXT[refusal.data.reason]) ??
        (dues && DUES_OBSTACLE_TEXT[dues.data.reason]);
      if (text) return text;
      if (isUnanswered(error)) return 'No answer from our server. Please try again: it counts once.';
      return serverMessage(error) ?? 'Nothing was changed. Please try again.';
    },
  });
  const to = others.find(({ tier_name }) => tier_name === form.values.tier) ?? others[0];
  const offer = upTo(to?.tier_name);
  const up = offer && (form.values.when === 'now' || !manages) ? offer : undefined;
  const amount = offer && formatAmount(offer.amount_cents, dues.currency);
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Change Tier"
      description={
        up
          ? 'The new tier begins at once, and its pours come with the next month. The member gets an email.'
          : laterFrom !== null
            ? `The new tier begins on ${dateOfDay(laterFrom)}, the first day that is not paid. Until then nothing changes. The member gets an email.`
            : 'The new tier begins today, and what is due is its price. The member gets an email.'
      }
      submitLabel={up ? `Record ${amount}` : 'Change Tier'}
      busyLabel={up ? 'Recording...' : 'Changing...'}
      disabled={!to || change !== null}
    >
      {change && (
        <Notice tone="warning" role="alert" title={changeTitle(change)}>
          Nothing more was recorded. Please close this, and look at the list.
        </Notice>
      )}
      <SelectField
        label="New tier"
        options={others.map(({ tier_name, display_name, monthly_price }) => ({
          value: tier_name,
          label: `${display_name}, ${tierPrice(monthly_price)} a month`,
        }))}
        {...form.field('tier')}
        value={to?.tier_name ?? ''}
      />
      {offer && manages && laterFrom !== null && (
        <fieldset className="flex flex-col gap-2">
          <legend className="sr-only">When it begins</legend>
          <Choice
            name={group}
            checked={up !== undefined}
            onChoose={() => form.set('when', 'now')}
            label={`Now: ${amount}`}
            notes={[`The difference for ${monthsLeftText(offer.months)} of the year`]}
          />
          <Choice
            name={group}
            checked={up === undefined}
            onChoose={() => form.set('when', 'later')}
            label={`From ${dateOfDay(laterFrom)}`}
            notes={['Without a payment now']}
          />
        </fieldset>
      )}
      {up && !manages && (
        <p>
          {amount}, the difference for {monthsLeftText(up.months)} of the year.
        </p>
      )}
      {up && (
        <>
          <TextField label="Toast Reference Number *" autoComplete="off" {...form.field('reference')} />
          <SelectField label="Paid by" options={METHODS} {...form.field('method')} />
        </>
      )}
    </FormDialog>
  );
}

interface PendingTierProps {
  customerId: string;
  pending: NonNullable<Dues['pending_tier']>;
  /** Staff may take it back. */
  manages: boolean;
}

/** 'Premier from 7/15/2026, $69 a month', with a button to take it back. */
export function PendingTier({ customerId, pending: { tier, from, price_cents }, manages }: PendingTierProps) {
  const queries = useQueryClient();
  const tierLabel = useTierLabel();
  const { busy, send } = useSend();
  const keep = () =>
    send(async () => {
      await api.billing.keepTierAtVenue({ customer_id: customerId });
      toast.success('Tier change canceled');
      refreshMembers(queries);
    }, errorToast('Nothing was changed. Please try again.'));
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-line border-t px-5 py-4 text-sm sm:px-7">
      <p className="min-w-0 flex-1 basis-60">
        {tierLabel(tier)} from {dateOfDay(from)}, {duesPrice(price_cents)} a month
      </p>
      {manages && (
        <Button variant="quiet" size="sm" busy={busy} busyLabel="One moment..." onClick={keep}>
          Take Back
        </Button>
      )}
    </div>
  );
}
