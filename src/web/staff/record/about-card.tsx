import { useState } from 'react';
import { allergies } from '../../../contract/forms/staff-fields.ts';
import type { AboutMember } from '../../../contract/staff/member-record.ts';
import { MONTH_NAMES } from '../../../domain/calendar.ts';
import { isBirthday } from '../../../domain/staff/member-record.ts';
import { api } from '../../api/client.ts';
import { birthdayText } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import type { RecordPart } from './use-member-record.ts';

type Birthday = NonNullable<AboutMember['birthday']>;

export function AboutCard({ customerId, record, act, manages }: RecordPart) {
  const [editing, setEditing] = useState(false);
  const { allergies, birthday } = record.about;
  return (
    <Card
      title="About"
      aside={
        manages && (
          <Button variant="quiet" size="sm" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
    >
      <DescriptionList
        items={[
          { term: 'Allergies', detail: allergies ?? 'None noted' },
          { term: 'Birthday', detail: birthday ? birthdayText(birthday) : 'Not noted' },
        ]}
      />
      {editing && (
        <AboutDialog
          about={record.about}
          onClose={() => setEditing(false)}
          onSave={async (about) => {
            const saved = await act('We couldn’t save the changes', () =>
              api.memberRecord.updateAbout({ customer_id: customerId, ...about }),
            );
            if (saved) setEditing(false);
          }}
        />
      )}
    </Card>
  );
}

interface AboutDialogProps {
  about: AboutMember;
  onClose: () => void;
  onSave: (about: AboutMember) => Promise<void>;
}

const MONTHS = MONTH_NAMES.map((label, place) => ({ value: String(place + 1), label }));

function AboutDialog({ about, onClose, onSave }: AboutDialogProps) {
  const { birthday } = about;
  const form = useForm({
    fields: { allergies },
    extra: ['month', 'day', 'year'],
    values: {
      allergies: about.allergies ?? '',
      month: String(birthday?.month ?? ''),
      day: String(birthday?.day ?? ''),
      year: String(birthday?.year ?? ''),
    },
    alert: (values) =>
      readBirthday(values) === 'none such'
        ? { field: 'day', text: 'There is no such day. Please check the birthday.' }
        : null,
    onSubmit: ({ allergies }) => {
      const read = readBirthday(form.values);
      return read !== 'none such' && onSave({ allergies, birthday: read });
    },
  });
  return (
    <FormDialog form={form} title="About this member" onClose={onClose} submitLabel="Save">
      <TextareaField
        label="Allergies"
        hint="Shown at every scan. Ask the member first: this is health data."
        {...form.field('allergies')}
      />
      <div className="grid grid-cols-[2fr_1fr_1fr] items-end gap-3">
        <SelectField
          label="Birthday"
          options={[{ value: '', label: 'None' }, ...MONTHS]}
          {...form.field('month')}
        />
        <TextField label="Day" inputMode="numeric" {...form.field('day')} maxLength={2} />
        <TextField label="Year" inputMode="numeric" {...form.field('year')} optional maxLength={4} />
      </div>
    </FormDialog>
  );
}

/** Null if no month is chosen. */
function readBirthday({
  month,
  day,
  year,
}: Record<'month' | 'day' | 'year', string>): Birthday | null | 'none such' {
  if (month === '') return null;
  const birthday = { month: Number(month), day: Number(day), year: year.trim() === '' ? null : Number(year) };
  const isYear = birthday.year === null || (birthday.year >= 1900 && birthday.year <= 2100);
  const whole = Number.isInteger(birthday.day) && (birthday.year === null || Number.isInteger(birthday.year));
  return whole && isYear && isBirthday(birthday) ? birthday : 'none such';
}
