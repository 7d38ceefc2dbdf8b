import { type FormEvent, useState } from 'react';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import { isClubNumber } from '../../../domain/club/club-settings.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { zoneOptions } from '../../ui/zone-options.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import {
  BAR_LINES,
  CLUB_LINES,
  type ClubTexts,
  type LineField,
  RULE_LINES,
  readClubForm,
  textsOf,
  valueText,
} from './club-form.ts';
import { CLUB_HINTS, CLUB_LABELS, changeMeaning } from './club-labels.ts';
import { ClubPart, useSaveClub } from './club-part.tsx';

export default function ClubPage() {
  return (
    <PageShell title="Club" width="wide" back={useBackToMore()}>
      <div className="grid items-start gap-5 sm:gap-6 xl:grid-cols-2">
        <LinesCard title="The Club" fields={CLUB_LINES} label="Save Club" />
        <div className="flex flex-col gap-5 sm:gap-6">
          <LinesCard title="At the Bar" fields={BAR_LINES} label="Save Bar" />
          {site.payments === 'on' && (
            <LinesCard title="Billing and Pauses" fields={RULE_LINES} label="Save Billing" />
          )}
        </div>
      </div>
    </PageShell>
  );
}

interface LinesProps {
  title: string;
  fields: readonly LineField[];
  /** The button's label: each card saves its own fields. */
  label: string;
}

function LinesCard(props: LinesProps) {
  return <ClubPart title={props.title}>{(view) => <LinesForm {...props} view={view} />}</ClubPart>;
}

function LinesForm({ title, fields, label, view }: LinesProps & { view: ClubSettingsView }) {
  // Untouched fields follow the server, so that a colleague's change shows and is not overwritten.
  const [typed, setTyped] = useState<Partial<ClubTexts>>({});
  const [wrong, setWrong] = useState<{ field: LineField; text: string } | null>(null);
  const { save, busy, failure, fail } = useSaveClub(view);
  const texts = { ...textsOf(view.values), ...typed };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const read = readClubForm(typed, view.values);
    if ('field' in read) return setWrong(read);
    if (Object.keys(read.changes).length === 0) return setTyped({});
    if (await save({ changes: read.changes }, 'The club’s settings were saved')) setTyped({});
  };
  const reset = async (field: LineField) => {
    if (!(await save({ reset: [field] }, `${CLUB_LABELS[field]} is as configured`))) return;
    setTyped(({ [field]: _, ...others }) => others);
  };
  const fieldProps = (field: LineField) => ({
    name: field,
    label: CLUB_LABELS[field],
    hint: CLUB_HINTS[field],
    value: texts[field],
    error: wrong?.field === field ? wrong.text : undefined,
    onChange: ({ target }: { target: { value: string } }) => {
      setWrong(null);
      fail('');
      setTyped((before) => ({ ...before, [field]: target.value }));
    },
  });
  const meaning = (field: LineField) => {
    const text = texts[field] !== textsOf(view.values)[field] && changeMeaning(field, view.now);
    return (
      text && (
        <Notice tone="info" role="status" className="mt-2">
          {text}
        </Notice>
      )
    );
  };
  const resetButton = (field: LineField) =>
    view.changed.includes(field) && (
      <Button
        variant="quiet"
        size="sm"
        className="-mx-3 mt-1"
        aria-label={`Reset ${CLUB_LABELS[field]}`}
        onClick={() => void reset(field)}
      >
        Reset to {valueText(field, textsOf(view.defaults)[field])}
      </Button>
    );
  return (
    <Card title={title}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        {fields.map((field) => (
          <div key={field}>
            {field === 'time_zone' ? (
              <SelectField options={zoneOptions(texts.time_zone)} {...fieldProps(field)} />
            ) : field === 'annual_notice' ? (
              <SelectField options={YES_OR_NO} {...fieldProps(field)} />
            ) : (
              <TextField {...(isClubNumber(field) ? NUMBER_INPUT : INPUTS[field])} {...fieldProps(field)} />
            )}
            {meaning(field)}
            {resetButton(field)}
          </div>
        ))}
        <FormError of={failure} />
        <Button type="submit" className="self-start" busy={busy} busyLabel="Saving...">
          {label}
        </Button>
      </form>
    </Card>
  );
}

const YES_OR_NO = [
  { value: 'false', label: 'No' },
  { value: 'true', label: 'Yes' },
];

const NUMBER_INPUT = { inputMode: 'numeric', maxLength: 3, className: '[&_input]:max-w-24' } as const;

const INPUTS = {
  club_name: { maxLength: 60 },
  support_email: { type: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false },
  minimum_age: NUMBER_INPUT,
  terms_url: { type: 'url', inputMode: 'url', placeholder: 'https://', autoCapitalize: 'none' },
} as const;
