import { useId } from 'react';
import { memberTag } from '../../../contract/forms/staff-fields.ts';
import { tagKey } from '../../../domain/staff/member-record.ts';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import type { RecordPart } from './use-member-record.ts';

export function TagsCard({ customerId, record, act, manages }: RecordPart) {
  const list = useId();
  const { tags, all_tags } = record;

  const form = useForm({
    fields: { label: memberTag },
    onSubmit: async ({ label }) => {
      const added = await act('We couldn’t add the tag', () =>
        api.memberRecord.addTag({ customer_id: customerId, label }),
      );
      if (added) form.set('label', '');
    },
  });
  const remove = (tag_id: string) =>
    act('We couldn’t remove the tag', () => api.memberRecord.removeTag({ customer_id: customerId, tag_id }));

  return (
    <Card title="Tags">
      {tags.length === 0 && !manages && <p className="text-ink-muted">No tags</p>}
      {tags.length > 0 && (
        <ul className="mb-4 flex flex-wrap gap-2 last:mb-0">
          {tags.map(({ id, label }) => (
            <li
              key={id}
              className="inline-flex min-h-9 items-center gap-1 rounded-full bg-brass-soft pl-3.5 font-semibold text-brass-text text-sm not-has-[button]:pr-3.5"
            >
              {label}
              {manages && (
                <button
                  type="button"
                  aria-label={`Remove ${label}`}
                  onClick={() => remove(id)}
                  className="grid size-9 place-items-center rounded-full hover:bg-surface-sunken"
                >
                  <Icon shape="cross" size={15} />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {manages && (
        <form {...form.props} className="flex gap-2">
          <TextField
            label="Add a tag"
            labelHidden
            placeholder="Add a tag"
            className="flex-1"
            autoComplete="off"
            list={list}
            {...form.field('label')}
          />
          <datalist id={list}>
            {all_tags
              .filter(({ label }) => !tags.some((tag) => tagKey(tag.label) === tagKey(label)))
              .map(({ id, label }) => (
                <option key={id} value={label} />
              ))}
          </datalist>
          <Button type="submit" variant="secondary" disabled={form.busy || form.values.label.trim() === ''}>
            Add
          </Button>
        </form>
      )}
    </Card>
  );
}
