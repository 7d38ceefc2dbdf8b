import { useQuery } from '@tanstack/react-query';
import type { ReviewedApplication } from '../../../contract/applications.ts';
import { referenceNumber } from '../../../contract/forms/staff-fields.ts';
import type { TierDefinition } from '../../../contract/tiers.ts';
import { approvedTier } from '../../../domain/application.ts';
import { toMinorUnits } from '../../../domain/money.ts';
import { api, orpc } from '../../api/client.ts';
import { inTime, isUnanswered } from '../../api/in-time.ts';
import { logFailure } from '../../api/log-failure.ts';
import { site } from '../../api/site.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { tierPrice, yearCents } from '../../format/money.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { failureToast, toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import {
  amountAlert,
  PAYMENT_EXTRA,
  PaymentFields,
  paymentValues,
  readPayment,
} from '../dues/payment-fields.tsx';
import { useReloadReviewed } from './use-reload-reviewed.ts';

type Approved = Pick<ReviewedApplication, 'id' | 'selected_tier' | 'notes'> & {
  applicant: Pick<ReviewedApplication['applicant'], 'first_name'>;
};

const MAY_BE_APPROVED =
  'No answer from our server. Check the connection, then try again: no one is approved twice.';

export function ApproveDialog({ application, onClose }: { application: Approved; onClose: () => void }) {
  const reload = useReloadReviewed();
  const tier_name = approvedTier(application.selected_tier);
  const { data: tier } = useQuery(orpc.tiers.get.queryOptions({ input: { tier_name } }));
  const price_cents = tier && toMinorUnits(tier.monthly_price, site.currency);
  const form = useForm({
    fields: { toast_reference_number: referenceNumber },
    extra: PAYMENT_EXTRA,
    values: paymentValues(price_cents),
    alert: amountAlert,
    onSubmit: async (input) => {
      const payment = readPayment(form.values);
      await api.applications.approve({ id: application.id, ...input, ...payment }, inTime());
      toast.success('Application approved and membership created');
      await reload();
      onClose();
    },
    onError: (error) => {
      logFailure('Approving an application', error);
      failureToast('Failed to approve application', isUnanswered(error) ? MAY_BE_APPROVED : undefined)(error);
      void reload();
    },
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Approve Application"
      width="wide"
      description="Enter the point-of-sale reference number to create the membership."
      submitLabel="Approve & Create Membership"
      disabled={form.values.toast_reference_number === ''}
    >
      <GivenTier application={application} tier={tier} />
      <TextField
        label="Toast Reference Number *"
        autoFocus
        autoComplete="off"
        {...form.field('toast_reference_number')}
      />
      <PaymentFields
        form={form}
        price_cents={price_cents}
        year_cents={tier && yearCents(tier)}
        methodOptional
      />
    </FormDialog>
  );
}

interface GivenTierProps {
  application: Approved;
  /** Undefined until loaded. */
  tier: TierDefinition | undefined;
}

function GivenTier({ application: { applicant, selected_tier, notes }, tier }: GivenTierProps) {
  const tierLabel = useTierLabel();
  const name = tier?.display_name ?? tierLabel(approvedTier(selected_tier));
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p>
        {selected_tier === null && 'No tier was chosen. '}
        {applicant.first_name}’s membership: <strong>{name}</strong>
        {tier && ` at ${tierPrice(tier.monthly_price)} per month`}, billed at the venue.
      </p>
      <p className="text-ink-muted">
        {applicant.first_name} gets an email and sees the decision on their dashboard
        {notes ? ', without the staff notes.' : '.'}
      </p>
    </div>
  );
}
