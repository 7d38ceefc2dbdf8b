import Gift from 'lucide-react/icons/gift';
import { useState } from 'react';
import { reason } from '../../../contract/forms/pour-fields.ts';
import { MAX_POUR_QUANTITY, pourCount } from '../../../domain/pour.ts';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { FieldPair } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Stepper } from '../../ui/stepper.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { useBalanceUpdate } from '../refresh-members.ts';

export function GiveGlassesButton({ customerId, available }: { customerId: string; available: number }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        className="self-start"
        icon={<Gift size={18} />}
        onClick={() => setOpen(true)}
      >
        Give or Take Back Pours
      </Button>
      {open && <GiveGlassesDialog {...{ customerId, available }} onClose={() => setOpen(false)} />}
    </>
  );
}

const ACTS = {
  comp: { kind: 'comp', sign: 1, label: 'Give, on the house' },
  add: { kind: 'correction', sign: 1, label: 'Add, as a correction' },
  take: { kind: 'correction', sign: -1, label: 'Take back, as a correction' },
} as const;
type Act = keyof typeof ACTS;
const OPTIONS = Object.entries(ACTS).map(([value, { label }]) => ({ value, label }));

interface GiveGlassesDialogProps {
  customerId: string;
  available: number;
  onClose: () => void;
}

function GiveGlassesDialog({ customerId, available, onClose }: GiveGlassesDialogProps) {
  // One request per dialog: a double tap or a retry gives the glasses once.
  const [requestId] = useState(() => crypto.randomUUID());
  const [act, setAct] = useState<Act>('comp');
  const updateBalance = useBalanceUpdate();

  const { kind, sign } = ACTS[act];
  const max = sign > 0 ? MAX_POUR_QUANTITY : Math.max(1, available);
  const countOf = (quantity: string) => Number.parseInt(quantity, 10) || 0;
  const form = useForm({
    fields: { reason },
    extra: ['quantity'],
    values: { quantity: '1' },
    alert: ({ quantity }) =>
      countOf(quantity) < 1 || countOf(quantity) > max
        ? { field: 'quantity', text: `Enter 1 to ${max}.` }
        : null,
    onSubmit: async ({ reason }) => {
      const { pours_balance } = await api.glasses.give({
        request_id: requestId,
        customer_id: customerId,
        kind,
        glasses: sign * count,
        reason,
      });
      toast.success(sign > 0 ? `${pourCount(count)} given` : `${pourCount(count)} taken back`);
      updateBalance(customerId, pours_balance);
      onClose();
    },
    onError: (error) => {
      const refusal = refusalOf(error, 'POURS_EXCEEDED');
      return refusal
        ? `Only ${refusal.data.available_pours} are left to take back.`
        : (serverMessage(error) ?? 'Nothing was changed. Please try again.');
    },
  });
  const count = countOf(form.values.quantity);
  return (
    <FormDialog
      form={form}
      title="Give or Take Back Pours"
      description={`${pourCount(available)} left in this billing period. What you give counts in this period only.`}
      onClose={onClose}
      submitLabel={sign > 0 ? `Give ${count}` : `Take back ${count}`}
    >
      <FieldPair>
        <SelectField
          label="What"
          options={available > 0 ? OPTIONS : OPTIONS.filter(({ value }) => value !== 'take')}
          value={act}
          onChange={(event) => setAct(event.target.value as Act)}
        />
        <Stepper label="Pours" max={max} {...form.field('quantity')} />
      </FieldPair>
      <TextareaField label="Reason" hint="Staff see it in the timeline." {...form.field('reason')} />
    </FormDialog>
  );
}
