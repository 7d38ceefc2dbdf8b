import { useState } from 'react';
import type { AboutMember } from '../../../contract/staff/member-record.ts';
import { MONTH_NAMES } from '../../../domain/calendar.ts';
import { isBirthday, MAX_ALLERGIES_LENGTH } from '../../../domain/staff/member-record.ts';
import { api } from '../../api/client.ts';
import { birthdayText } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import type { RecordPart } from './record-part.ts';

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
            const saved = await act('The changes were not saved', () =>
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
  const [allergies, setAllergies] = useState(about.allergies ?? '');
  const [month, setMonth] = useState(String(about.birthday?.month ?? ''));
  const [day, setDay] = useState(String(about.birthday?.day ?? ''));
  const [year, setYear] = useState(String(about.birthday?.year ?? ''));
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const save = async () => {
    const birthday = readBirthday(month, day, year);
    if (birthday === 'none such') return setProblem('There is no such day. Please check the birthday.');
    setProblem(null);
    setBusy(true);
    await onSave({ allergies: allergies.trim() || null, birthday });
    setBusy(false);
  };
  return (
    <Dialog
      open
      title="About this member"
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={save} disabled={busy}>
            Save
          </Button>
        </>
      }
    >
      {problem && (
        <Notice tone="danger" role="alert">
          {problem}
        </Notice>
      )}
      <TextareaField
        label="Allergies"
        optional
        hint="Shown at every scan. Ask the member first: this is health data."
        maxLength={MAX_ALLERGIES_LENGTH}
        value={allergies}
        onChange={(event) => setAllergies(event.target.value)}
      />
      <div className="grid grid-cols-[2fr_1fr_1fr] items-end gap-3">
        <SelectField
          label="Birthday"
          options={[{ value: '', label: 'None' }, ...MONTHS]}
          value={month}
          onChange={(event) => setMonth(event.target.value)}
        />
        <TextField
          label="Day"
          inputMode="numeric"
          maxLength={2}
          value={day}
          onChange={(event) => setDay(event.target.value)}
        />
        <TextField
          label="Year"
          optional
          inputMode="numeric"
          maxLength={4}
          value={year}
          onChange={(event) => setYear(event.target.value)}
        />
      </div>
    </Dialog>
  );
}

/** Null if no month is chosen. */
function readBirthday(month: string, day: string, year: string): Birthday | null | 'none such' {
  if (month === '') return null;
  const birthday = { month: Number(month), day: Number(day), year: year.trim() === '' ? null : Number(year) };
  const isYear = birthday.year === null || (birthday.year >= 1900 && birthday.year <= 2100);
  const whole = Number.isInteger(birthday.day) && (birthday.year === null || Number.isInteger(birthday.year));
  return whole && isYear && isBirthday(birthday) ? birthday : 'none such';
}
