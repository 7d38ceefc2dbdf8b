import { useQueryClient } from '@tanstack/react-query';
import { api, serverMessage } from '../../api/client.ts';
import { dateOfDay } from '../../format/dates.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useForm } from '../../ui/use-form.ts';
import { refreshMembers } from '../refresh-members.ts';
import { DUES_OBSTACLE_TEXT } from './dues-text.ts';

interface CountFromDialogProps {
  customerId: string;
  name: string;
  /** The start of the current month of the membership, and of each later one. */
  months: readonly string[];
  onClose: () => void;
}

/** Begins to count the payments of one older membership. */
export function CountFromDialog({ customerId, name, months, onClose }: CountFromDialogProps) {
  const queries = useQueryClient();
  const form = useForm({
    fields: {},
    extra: ['day'],
    // The current month counts as paid.
    values: { day: months[1] ?? '' },
    onSubmit: async () => {
      const { day } = form.values;
      const { skipped } = await api.memberDues.countFrom({ customer_ids: [customerId], day });
      refreshMembers(queries);
      const [obstacle] = skipped;
      if (obstacle) form.fail(DUES_OBSTACLE_TEXT[obstacle.reason]);
      else {
        toast.success(`Counted from ${dateOfDay(day)}`);
        onClose();
      }
    },
    onError: (error) => serverMessage(error) ?? 'Nothing was changed. Please try again.',
  });
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title="Count from..."
      description={`Until the chosen day, ${name} counts as paid. From then on each month is paid at the bar, or the membership ends after the days of grace.`}
      submitLabel="Start Counting"
      busyLabel="Saving..."
    >
      <SelectField
        label="First unpaid day"
        options={months.map((day) => ({ value: day, label: dateOfDay(day) }))}
        hint={`${name} gets an email seven days before it.`}
        {...form.field('day')}
      />
    </FormDialog>
  );
}
