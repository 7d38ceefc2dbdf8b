import { type FormEvent, useState } from 'react';
import type { ClubSettingsView } from '../../../../contract/staff/club.ts';
import { defaultLegalText } from '../../../../domain/club/public-page-texts.ts';
import {
  LEGAL_PAGES,
  LEGAL_TITLES,
  type LegalPage,
  MAX_LEGAL_TEXT,
} from '../../../../domain/club/public-pages.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PageShell } from '../../../ui/page-shell.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { TextareaField } from '../../../ui/textarea-field.tsx';
import { LegalText } from '../../../visitor/public-pages/legal-text.tsx';
import { useBackToMore } from '../../shell/back-links.tsx';
import { CLUB_HINTS, CLUB_LABELS } from '../club-labels.ts';
import { ClubPart, useSaveClub } from '../club-part.tsx';
import { ClubPageForm } from './club-page-form.tsx';
import { PreviewFrame } from './preview-frame.tsx';

const OPTIONS = [
  { value: 'club', label: 'The Club’s Page' },
  ...LEGAL_PAGES.map((page) => ({ value: page, label: LEGAL_TITLES[page] })),
];

export default function PublicPagesPage() {
  const [page, setPage] = useState<'club' | LegalPage>('club');
  return (
    <PageShell
      width="wide"
      title="Public Pages"
      lead="What anyone can read about your club, without an account."
      back={useBackToMore()}
    >
      <SelectField
        label="Page"
        options={OPTIONS}
        value={page}
        onChange={({ target }) => setPage(target.value as typeof page)}
      />
      <ClubPart title="Text">
        {(view) =>
          page === 'club' ? <ClubPageForm view={view} /> : <LegalForm key={page} view={view} page={page} />
        }
      </ClubPart>
    </PageShell>
  );
}

function LegalForm({ view, page }: { view: ClubSettingsView; page: LegalPage }) {
  const { values } = view;
  const [textField, urlField] = [`${page}_text`, `${page}_url`] as const;
  const own = values[textField];
  const savedText = own ?? defaultLegalText(page, values);
  const savedUrl = values[urlField] ?? '';
  const [typed, setTyped] = useState<{ text?: string; url?: string }>({});
  const { save, busy, failure, fail } = useSaveClub(view);
  const text = typed.text ?? savedText;
  const url = typed.url ?? savedUrl;
  const wrongUrl = url.trim() !== '' && !/^https?:\/\/\S+$/.test(url.trim());

  const change = (to: typeof typed) => {
    fail('');
    setTyped((before) => ({ ...before, ...to }));
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || wrongUrl) return;
    const address = { [urlField]: url.trim() || null };
    const changes = url.trim() ? address : { ...(url !== savedUrl && address), [textField]: text.trim() };
    if (await save({ changes }, 'The page was saved')) setTyped({});
  };
  const reset = async () => {
    if (await save({ reset: [textField] }, 'The page has its default text')) setTyped({});
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 sm:gap-6 xl:grid-cols-2">
      <Card title="Text">
        <form noValidate onSubmit={submit} className="flex flex-col gap-5">
          {own === null && !savedUrl && (
            <Notice tone="info" title="This is a default text">
              It says what this software does, and nothing about your country’s law. Have a lawyer read it,
              then save it as yours.
            </Notice>
          )}
          <TextField
            name={urlField}
            label={CLUB_LABELS[urlField]}
            hint={CLUB_HINTS[urlField]}
            type="url"
            inputMode="url"
            autoCapitalize="none"
            placeholder="https://"
            maxLength={500}
            value={url}
            error={wrongUrl ? 'Enter a URL that starts with https://' : undefined}
            onChange={({ target }) => change({ url: target.value })}
          />
          <TextareaField
            name={textField}
            label={CLUB_LABELS[textField]}
            hint={CLUB_HINTS[textField]}
            maxLength={MAX_LEGAL_TEXT}
            value={text}
            disabled={url.trim() !== ''}
            onChange={({ target }) => change({ text: target.value })}
          />
          <FormError of={failure} />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={busy} busyLabel="Saving...">
              Save Page
            </Button>
            {own !== null && (
              <Button variant="quiet" disabled={busy} onClick={() => void reset()}>
                Reset to Default
              </Button>
            )}
          </div>
        </form>
      </Card>
      {url.trim() === '' && (
        <PreviewFrame label="How the page looks">
          <LegalText page={page} text={text} stored={[]} />
        </PreviewFrame>
      )}
    </div>
  );
}
