import { useState } from 'react';
import { memberNote } from '../../../contract/forms/staff-fields.ts';
import type { MemberNote } from '../../../contract/staff/member-record.ts';
import { MAX_NOTE_LENGTH } from '../../../domain/staff/member-record.ts';
import { api } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { formatDateTime } from '../venue-dates.ts';
import type { RecordPart } from './use-member-record.ts';

export function NotesCard({ customerId, record, act, manages }: RecordPart) {
  const form = useForm({
    fields: { body: memberNote },
    onSubmit: async ({ body }) => {
      const added = await act('We couldn’t save the note', () =>
        api.memberRecord.addNote({ customer_id: customerId, body }),
      );
      if (added) form.set('body', '');
    },
  });
  return (
    <Card title="Notes">
      {record.notes.length === 0 && !manages && <p className="text-ink-muted">No notes</p>}
      {manages && (
        <form {...form.props} className="flex flex-col items-start gap-2">
          <TextareaField
            label="Add a note"
            labelHidden
            placeholder="Add a note"
            className="w-full"
            rows={2}
            {...form.field('body')}
          />
          <Button type="submit" variant="secondary" disabled={form.busy || form.values.body.trim() === ''}>
            Add Note
          </Button>
        </form>
      )}
      {record.notes.length > 0 && (
        <ul className="mt-4 divide-y divide-line first:mt-0">
          {record.notes.map((note) => (
            <Note key={note.id} {...{ note, act, manages }} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Note({ note, act, manages }: Pick<RecordPart, 'act' | 'manages'> & { note: MemberNote }) {
  const [draft, setDraft] = useState<string | null>(null);
  const { id, body, written_by, written_at, earlier, removed } = note;
  const save = async (text: string) => {
    const saved = await act('We couldn’t save the note', () => api.memberRecord.editNote({ id, body: text }));
    if (saved) setDraft(null);
  };
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      {draft === null ? (
        <p className={classNames('whitespace-pre-line', removed && 'text-ink-muted line-through')}>{body}</p>
      ) : (
        <TextareaField
          label="Note"
          labelHidden
          rows={3}
          maxLength={MAX_NOTE_LENGTH}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      )}
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-3">
        <p className="text-ink-muted text-sm">
          {written_by}, {formatDateTime(written_at)}
          {earlier.length > 0 && ', edited'}
          {removed && (
            <span className="block">
              Removed by {removed.by}, {formatDateTime(removed.at)}
            </span>
          )}
        </p>
        {manages && !removed && (
          <span className="-mr-3 flex">
            {draft === null ? (
              <>
                <Button variant="quiet" size="sm" onClick={() => setDraft(body)}>
                  Edit
                </Button>
                <Button
                  variant="quiet"
                  size="sm"
                  onClick={() =>
                    act('We couldn’t remove the note', () => api.memberRecord.removeNote({ id }))
                  }
                >
                  Remove
                </Button>
              </>
            ) : (
              <>
                <Button variant="quiet" size="sm" onClick={() => setDraft(null)}>
                  Cancel
                </Button>
                <Button
                  variant="quiet"
                  size="sm"
                  disabled={draft.trim() === ''}
                  onClick={() => save(draft.trim())}
                >
                  Save
                </Button>
              </>
            )}
          </span>
        )}
      </div>
      {earlier.length > 0 && (
        <details className="text-sm">
          <summary className="flex min-h-11 w-fit items-center font-medium text-accent-text">
            Earlier versions
          </summary>
          <ul className="flex flex-col gap-2 border-line border-l-2 pl-3 text-ink-muted">
            {earlier.map((version) => (
              <li key={version.written_at}>
                <p className="whitespace-pre-line">{version.body}</p>
                <p className="text-xs">
                  {version.written_by}, {formatDateTime(version.written_at)}
                </p>
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  );
}
