import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedMember, MemberFilter } from '../../../contract/staff/directory.ts';
import { api, serverMessage } from '../../api/client.ts';
import { venueToday } from '../../format/venue-today.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { refreshMembers } from '../refresh-members.ts';
import { DUES_OBSTACLE_TEXT } from './dues-text.ts';

/** The most members of one call. */
const BATCH = 100;

export function CountListButton({ filter }: { filter: MemberFilter }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" size="sm" className="last:-mr-3" onClick={() => setOpen(true)}>
        Count from...
      </Button>
      {open && <CountListDialog filter={filter} onClose={() => setOpen(false)} />}
    </>
  );
}

interface Counting {
  total: number;
  done: number;
  counted: number;
  skipped: { id: string; name: string; text: string }[];
}

/** Begins to count the payments of everyone on the list, also beyond the rows that are loaded. */
function CountListDialog({ filter, onClose }: { filter: MemberFilter; onClose: () => void }) {
  const queries = useQueryClient();
  const [counting, setCounting] = useState<Counting | null>(null);
  // Not before: those counted leave the list, and the dialog with an empty one.
  const close = () => {
    if (counting) refreshMembers(queries);
    onClose();
  };
  const form = useForm({
    fields: {},
    extra: ['day'],
    values: { day: venueToday() },
    alert: ({ day }) => (day === '' ? { field: 'day', at: 'field', text: 'Please choose a day.' } : null),
    onSubmit: async () => {
      const { day } = form.values;
      const members = await everyMember(filter);
      let sum: Counting = { total: members.length, done: 0, counted: 0, skipped: [] };
      setCounting(sum);
      for (let from = 0; from < members.length; from += BATCH) {
        sum = await countBatch(sum, members.slice(from, from + BATCH), day);
        setCounting(sum);
      }
    },
    onError: (error) => {
      const text = serverMessage(error) ?? 'We couldn’t reach the server.';
      return `${text} Those counted so far stay counted. Please try again for the others.`;
    },
  });
  if (counting && counting.done === counting.total && !form.busy) {
    const { counted, skipped } = counting;
    return (
      <Dialog
        title="Counted"
        description={`${membershipsText(counted)} counted.${skipped.length > 0 ? ` ${skipped.length} skipped:` : ''}`}
        onClose={close}
        actions={<Button onClick={close}>Done</Button>}
      >
        {skipped.length > 0 && (
          <ul className="flex flex-col gap-2 text-sm">
            {skipped.map(({ id, name, text }) => (
              <li key={id}>
                <span className="font-semibold">{name}</span>: {text}
              </li>
            ))}
          </ul>
        )}
      </Dialog>
    );
  }
  return (
    <FormDialog
      form={form}
      onClose={close}
      title="Count from..."
      description="For everyone on this list. Each membership counts as paid until this day, or until the start of its next month after it. From then on each month is paid at the bar, or the membership ends after the days of grace."
      submitLabel="Start Counting"
      busyLabel="Counting..."
    >
      <TextField
        label="First unpaid day"
        type="date"
        hint="Members get an email seven days before their day."
        {...form.field('day')}
      />
      {counting && (
        <div className="flex flex-col gap-1.5">
          <ProgressBar label="Counted" value={counting.done} max={counting.total} />
          <p role="status" className="text-ink-muted text-sm">
            {counting.done} of {counting.total}
          </p>
        </div>
      )}
    </FormDialog>
  );
}

const membershipsText = (count: number) => (count === 1 ? '1 membership is' : `${count} memberships are`);

async function everyMember(filter: MemberFilter): Promise<ListedMember[]> {
  const members: ListedMember[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.directory.list({ ...filter, cursor });
    members.push(...page.members);
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
  return members;
}

async function countBatch(sum: Counting, members: ListedMember[], day: string): Promise<Counting> {
  const { counted, skipped } = await api.memberDues.countFrom({
    customer_ids: members.map(({ id }) => id),
    day,
  });
  const names = new Map(members.map(({ id, first_name, last_name }) => [id, `${first_name} ${last_name}`]));
  return {
    total: sum.total,
    done: sum.done + members.length,
    counted: sum.counted + counted,
    skipped: [
      ...sum.skipped,
      ...skipped.map(({ customer_id, reason }) => ({
        id: customer_id,
        name: names.get(customer_id) ?? '',
        text: DUES_OBSTACLE_TEXT[reason],
      })),
    ],
  };
}
