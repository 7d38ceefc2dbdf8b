import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { ClubSettingsView } from '../../../contract/staff/club.ts';
import { CLUB_FIELDS, type ClubField, isClubNumber } from '../../../domain/club/club-settings.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.ts';
import { zoneOptions } from '../../ui/zone-options.ts';
import { type ClubTexts, readClubForm, textsOf, valueText } from './club-form.ts';
import { CLUB_LABELS, clubHint } from './club-labels.ts';

const TITLE = 'The Club';

/** What the club says of itself, for who manages staff. */
export function ClubCard() {
  const { data, error, isError, isFetching, refetch } = useQuery(orpc.club.getSettings.queryOptions());
  if (data) return <ClubForm view={data} />;
  return (
    <Card title={TITLE}>
      {isError ? (
        <ErrorState
          of={error}
          title="The club’s settings could not be loaded"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      ) : (
        <SkeletonLines lines={5} />
      )}
    </Card>
  );
}

interface Problem {
  /** Null for the form as a whole. */
  field: ClubField | null;
  text: string;
}

function ClubForm({ view }: { view: ClubSettingsView }) {
  const client = useQueryClient();
  // What was not touched follows the server, so that a colleague's change is seen and not overwritten.
  const [typed, setTyped] = useState<Partial<ClubTexts>>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const texts = { ...textsOf(view.values), ...typed };
  const { queryKey } = orpc.club.getSettings.queryOptions();

  const send = async (change: { changes?: object; reset?: ClubField[] }, done: string) => {
    setProblem(null);
    setBusy(true);
    try {
      client.setQueryData(queryKey, await api.club.updateSettings({ version: view.version, ...change }));
      toast.success(done);
      return true;
    } catch (error) {
      if (refusalOf(error, 'SETTINGS_CHANGED')) await client.invalidateQueries({ queryKey });
      setProblem({ field: null, text: serverMessage(error) ?? 'Nothing was saved. Please try again.' });
      return false;
    } finally {
      setBusy(false);
    }
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (busy) return;
    const read = readClubForm(typed, view.values);
    if ('field' in read) return setProblem(read);
    if (Object.keys(read.changes).length === 0) return setTyped({});
    if (await send({ changes: read.changes }, 'The club’s settings were saved')) setTyped({});
  };
  const reset = async (field: ClubField) => {
    if (!(await send({ reset: [field] }, `${CLUB_LABELS[field]} is as configured`))) return;
    setTyped(({ [field]: _, ...others }) => others);
  };
  const fieldProps = (field: ClubField) => ({
    name: field,
    label: CLUB_LABELS[field],
    hint: clubHint(field),
    value: texts[field],
    error: problem?.field === field ? problem.text : undefined,
    onChange: ({ target }: { target: { value: string } }) => {
      setProblem(null);
      setTyped((before) => ({ ...before, [field]: target.value }));
    },
  });
  const resetButton = (field: ClubField) =>
    view.changed.includes(field) && (
      <Button
        variant="quiet"
        size="sm"
        className="-mx-3 mt-1"
        aria-label={`Reset ${CLUB_LABELS[field]}`}
        onClick={() => void reset(field)}
      >
        Reset to {valueText(textsOf(view.defaults)[field])}
      </Button>
    );
  return (
    <Card title={TITLE}>
      <form noValidate onSubmit={save} className="flex flex-col gap-5">
        {CLUB_FIELDS.map((field) => (
          <div key={field}>
            {field === 'time_zone' ? (
              <SelectField options={zoneOptions(texts.time_zone)} {...fieldProps(field)} />
            ) : (
              <TextField {...(isClubNumber(field) ? NUMBER_INPUT : INPUTS[field])} {...fieldProps(field)} />
            )}
            {resetButton(field)}
          </div>
        ))}
        {problem && !problem.field && (
          <Notice tone="danger" role="alert">
            {problem.text}
          </Notice>
        )}
        <Button type="submit" className="self-start" busy={busy} busyLabel="Saving...">
          Save
        </Button>
      </form>
    </Card>
  );
}

const NUMBER_INPUT = { inputMode: 'numeric', maxLength: 2 } as const;

const INPUTS = {
  club_name: { maxLength: 60 },
  support_email: { type: 'email', inputMode: 'email', autoCapitalize: 'none', spellCheck: false },
  minimum_age: NUMBER_INPUT,
  terms_url: { type: 'url', inputMode: 'url', placeholder: 'https://', autoCapitalize: 'none' },
} as const;
