import { clubCards } from '../../../contract/forms/club-fields.ts';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import { isClubNumber } from '../../../domain/club/club-settings.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import type { Field } from '../../ui/read-field.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useForm } from '../../ui/use-form.ts';
import { zoneOptions } from '../../ui/zone-options.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import { type LineField, textsOf, valueText } from './club-form.ts';
import { CLUB_HINTS, CLUB_LABELS, changeMeaning } from './club-labels.ts';
import { type ClubChanges, ClubPart, useSaveClub, whyNotSaved } from './club-part.tsx';

export default function ClubPage() {
  return (
    <PageShell title="Club" width="wide" back={useBackToMore()}>
      <div className="grid items-start gap-5 sm:gap-6 xl:grid-cols-2">
        <LinesCard title="The Club" fields={clubCards.club} label="Save Club" />
        <div className="flex flex-col gap-5 sm:gap-6">
          <LinesCard title="At the Bar" fields={clubCards.bar} label="Save Bar" />
          {site.payments === 'on' && (
            <LinesCard title="Billing and Pauses" fields={clubCards.billing} label="Save Billing" />
          )}
        </div>
      </div>
    </PageShell>
  );
}

interface LinesProps {
  title: string;
  fields: Partial<Record<LineField, Field>>;
  /** The button's label: each card saves its own fields. */
  label: string;
}

function LinesCard(props: LinesProps) {
  return <ClubPart title={props.title}>{(view) => <LinesForm {...props} view={view} />}</ClubPart>;
}

function LinesForm({ title, fields, label, view }: LinesProps & { view: ClubSettingsView }) {
  const names = Object.keys(fields) as LineField[];
  const texts = textsOf(view.values);
  const save = useSaveClub(view);
  const form = useForm({
    fields: fields as Record<LineField, Field>,
    values: texts,
    follow: true,
    onSubmit: async (input) => {
      const lines = names.filter((field) => input[field] !== view.values[field]);
      if (lines.length === 0) return;
      const changes: ClubChanges = Object.fromEntries(lines.map((field) => [field, input[field]]));
      await save({ changes }, 'The club’s settings were saved');
    },
    onError: whyNotSaved,
  });
  const reset = async (field: LineField) => {
    const isReset = await form.send(() => save({ reset: [field] }, `${CLUB_LABELS[field]} is as configured`));
    if (isReset) form.set(field, textsOf(view.defaults)[field]);
  };
  const fieldProps = (field: LineField) => ({
    label: CLUB_LABELS[field],
    hint: CLUB_HINTS[field],
    ...form.field(field),
    optional: false,
  });
  const meaning = (field: LineField) => {
    const text = form.values[field] !== texts[field] && changeMeaning(field, view.now);
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
      <form {...form.props} className="flex flex-col gap-5">
        {names.map((field) => (
          <div key={field}>
            {field === 'time_zone' ? (
              <SelectField options={zoneOptions(form.values.time_zone)} {...fieldProps(field)} />
            ) : field === 'annual_notice' ? (
              <SelectField options={YES_OR_NO} {...fieldProps(field)} />
            ) : (
              <TextField {...fieldProps(field)} {...(isClubNumber(field) ? NUMBER_INPUT : INPUTS[field])} />
            )}
            {meaning(field)}
            {resetButton(field)}
          </div>
        ))}
        <FormError of={form.failure} />
        <Button type="submit" className="self-start" busy={form.busy} busyLabel="Saving...">
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
  club_name: {},
  support_email: { type: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false },
  minimum_age: NUMBER_INPUT,
  coordinates: { placeholder: '48.2082, 16.3738' },
  terms_url: { type: 'url', inputMode: 'url', placeholder: 'https://', autoCapitalize: 'none' },
} as const;
