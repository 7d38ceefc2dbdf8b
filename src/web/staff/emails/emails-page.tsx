import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { wordingFields } from '../../../contract/forms/wording-fields.ts';
import type { WordedEmail } from '../../../contract/staff/emails.ts';
import {
  EMAIL_KINDS,
  type EmailKind,
  type EmailWording,
  NO_WORDING,
  variablesOf,
  WORDING_FIELDS,
  wordingProblem,
  wordingProblems,
} from '../../../domain/club/emails.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TextareaField } from '../../ui/textarea-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import { useForm } from '../../ui/use-form.ts';
import { whyNotSaved } from '../settings/club-part.tsx';
import { useBackToMore } from '../shell/back-links.tsx';

export default function EmailsPage() {
  const query = useQuery(orpc.emails.list.queryOptions());
  return (
    <PageShell
      width="wide"
      title="Emails"
      lead="Add the club’s own words to any email. The parts every email needs, such as amounts, dates and links, stay as they are."
      back={useBackToMore()}
    >
      <Loaded query={query} failed="We couldn’t load the emails" card lines={6}>
        {(data) => <Wordings emails={data} />}
      </Loaded>
    </PageShell>
  );
}

const nameOf = (kind: EmailKind) => `${EMAIL_KINDS[kind].group}: ${EMAIL_KINDS[kind].about}`;

function stateOf({ wording, problem }: WordedEmail): string {
  if (problem) return ' (not in use)';
  return WORDING_FIELDS.some((field) => wording[field]) ? ' (changed)' : '';
}

function Wordings({ emails }: { emails: WordedEmail[] }) {
  const [chosen, setChosen] = useState<EmailKind>('welcome');
  const bad = emails.filter(({ problem }) => problem !== null);
  const email = emails.find((it) => it.kind === chosen);
  return (
    <>
      {bad.length > 0 && (
        <Notice tone="warning" title="Some of your words are not being used">
          {bad.map((it) => nameOf(it.kind)).join('; ')}. These emails go out in their default wording until
          you fix them.
        </Notice>
      )}
      <SelectField
        label="Email"
        options={emails.map((it) => ({ value: it.kind, label: nameOf(it.kind) + stateOf(it) }))}
        value={chosen}
        onChange={({ target }) => setChosen(target.value as EmailKind)}
      />
      {/* The form restarts from the text that a colleague saved. */}
      {email && <WordingForm key={`${chosen} ${email.version}`} email={email} />}
    </>
  );
}

function WordingForm({ email }: { email: WordedEmail }) {
  const { kind, default_subject, version, problem: unused } = email;
  const client = useQueryClient();
  const { queryKey } = orpc.emails.list.queryOptions();
  const save = async (wording: EmailWording, success: string) => {
    const answer = await api.emails.update({ kind, version, wording });
    client.setQueryData(queryKey, (all) => all?.map((it) => (it.kind === kind ? answer : it)));
    toast.success(success);
  };
  const form = useForm({
    fields: wordingFields,
    values: email.wording,
    alert: (entered) => {
      const wrong = wordingProblems(kind, trimmed(entered));
      return wrong && { ...wrong, at: 'field' };
    },
    onSubmit: (wording) => save(wording, 'The email was saved'),
    onError: (error) => {
      // The form starts over from what the colleague saved, so a toast says why.
      if (refusalOf(error, 'SETTINGS_CHANGED')) {
        toast.error('Nothing was saved', { description: serverMessage(error) ?? undefined, of: error });
        void client.invalidateQueries({ queryKey });
      }
      return whyNotSaved(error);
    },
  });
  const wording = form.values;
  const isChanged = WORDING_FIELDS.some((field) => wording[field].trim() !== email.wording[field]);
  const isOwn = WORDING_FIELDS.some((field) => email.wording[field]);

  const fieldProps = (field: keyof EmailWording) => ({
    ...form.field(field),
    optional: false,
    error: wordingProblem(kind, field, wording[field].trim()) ?? undefined,
  });
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Card title="Your Words">
        <form {...form.props} className="flex flex-col gap-5">
          {unused !== null && (
            <Notice tone="warning" title="These words are not being used">
              {unused}
            </Notice>
          )}
          <TextField
            label="Subject"
            placeholder={default_subject}
            hint="Also used as the heading. Leave blank for the default."
            {...fieldProps('subject')}
          />
          <TextareaField
            label="Before"
            hint="After the greeting. Each line is a paragraph."
            {...fieldProps('opening')}
          />
          <TextareaField label="After" hint="Shown after the main text." {...fieldProps('closing')} />
          <p className="text-ink-muted text-sm">
            In this email you can use{' '}
            {variablesOf(kind)
              .map((name) => `{${name}}`)
              .join(', ')}
            .
          </p>
          <FormError of={form.failure} />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={form.busy} busyLabel="Saving..." disabled={!isChanged}>
              Save
            </Button>
            {(isOwn || unused !== null) && (
              <Button
                variant="secondary"
                disabled={form.busy}
                onClick={() => form.send(() => save(NO_WORDING, 'The email has its default wording'))}
              >
                Reset to Default
              </Button>
            )}
          </div>
        </form>
      </Card>
      <WordingPreview key={version} kind={kind} wording={wording} />
    </div>
  );
}

const trimmed = (wording: EmailWording): EmailWording => ({
  subject: wording.subject.trim(),
  opening: wording.opening.trim(),
  closing: wording.closing.trim(),
});

function WordingPreview({ kind, wording }: { kind: EmailKind; wording: EmailWording }) {
  const [asText, setAsText] = useState(false);
  const settled = JSON.parse(useDebounced(JSON.stringify(trimmed(wording)))) as EmailWording;
  // Hidden as soon as a refused wording is typed: it would be another email's preview.
  const isFine = [wording, settled].every((it) => wordingProblems(kind, trimmed(it)) === null);
  const preview = useQuery({
    ...orpc.emails.preview.queryOptions({ input: { kind, ...settled } }),
    enabled: isFine,
    placeholderData: keepPreviousData,
  });
  const query = new URLSearchParams(WORDING_FIELDS.map((field) => [field, settled[field]]));
  return (
    <Card title="Preview">
      <div className="flex flex-col gap-4">
        <p className="text-ink-muted text-sm">To Ada, an invented member. Nothing is sent.</p>
        <div className="flex gap-3">
          {[false, true].map((text) => (
            <Button
              key={String(text)}
              size="sm"
              variant="secondary"
              aria-pressed={asText === text}
              className="aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:text-accent-text"
              onClick={() => setAsText(text)}
            >
              {text ? 'As Text' : 'As HTML'}
            </Button>
          ))}
        </div>
        {!isFine ? (
          <p className="text-ink-muted text-sm">The preview appears here once the wording is valid.</p>
        ) : (
          <Loaded query={preview} failed="We couldn’t load the preview" lines={6}>
            {({ subject, text }) => (
              <>
                <p className="wrap-anywhere font-semibold">{subject}</p>
                {asText ? (
                  <pre className="whitespace-pre-wrap wrap-anywhere font-sans text-sm">{text}</pre>
                ) : (
                  <iframe
                    title="The email as HTML"
                    sandbox=""
                    src={`/api/emails/${kind}/preview.html?${query}`}
                    className="h-180 w-full rounded-md border border-line"
                  />
                )}
              </>
            )}
          </Loaded>
        )}
      </div>
    </Card>
  );
}
