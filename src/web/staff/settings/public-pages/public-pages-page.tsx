import { useState } from 'react';
import { legalFields } from '../../../../contract/forms/club-fields.ts';
import type { ClubSettingsView } from '../../../../contract/staff/club.ts';
import { defaultLegalText } from '../../../../domain/club/public-page-texts.ts';
import { LEGAL_PAGES, LEGAL_TITLES, type LegalPage } from '../../../../domain/club/public-pages.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { FormError } from '../../../ui/form-error.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { PageShell } from '../../../ui/page-shell.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { TextareaField } from '../../../ui/textarea-field.tsx';
import { useForm } from '../../../ui/use-form.ts';
import { LegalText } from '../../../visitor/public-pages/legal-text.tsx';
import { useBackToMore } from '../../shell/back-links.tsx';
import { CLUB_HINTS, CLUB_LABELS } from '../club-labels.ts';
import { ClubPart, useSaveClub, whyNotSaved } from '../club-part.tsx';
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
  const customText = values[textField];
  const savedText = customText ?? defaultLegalText(page, values);
  const savedUrl = values[urlField] ?? '';
  const save = useSaveClub(view);
  const form = useForm({
    fields: legalFields,
    values: { url: savedUrl, text: savedText },
    follow: true,
    onSubmit: ({ url, text }) => {
      const address = { [urlField]: url };
      const changes = url ? address : { ...(savedUrl && address), [textField]: text };
      return save({ changes }, 'The page was saved');
    },
    onError: whyNotSaved,
  });
  const { text, url } = form.values;
  const isElsewhere = url.trim() !== '';
  const reset = async () => {
    const isReset = await form.send(() => save({ reset: [textField] }, 'The page has its default text'));
    if (isReset) form.set('text', defaultLegalText(page, values));
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 sm:gap-6 xl:grid-cols-2">
      <Card title="Text">
        <form {...form.props} className="flex flex-col gap-5">
          {customText === null && !savedUrl && (
            <Notice tone="info" title="This is a default text">
              It says what this software does, and nothing about your country’s law. Have a lawyer read it,
              then save it as yours.
            </Notice>
          )}
          <TextField
            label={CLUB_LABELS[urlField]}
            hint={CLUB_HINTS[urlField]}
            type="url"
            inputMode="url"
            autoCapitalize="none"
            placeholder="https://"
            {...form.field('url')}
            optional={false}
          />
          <TextareaField
            label={CLUB_LABELS[textField]}
            hint={CLUB_HINTS[textField]}
            {...form.field('text')}
            // Without a name it is not read, and may be blank.
            name={isElsewhere ? undefined : 'text'}
            disabled={isElsewhere}
          />
          <FormError of={form.failure} />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={form.busy} busyLabel="Saving...">
              Save Page
            </Button>
            {customText !== null && (
              <Button variant="quiet" disabled={form.busy} onClick={() => void reset()}>
                Reset to Default
              </Button>
            )}
          </div>
        </form>
      </Card>
      {!isElsewhere && (
        <PreviewFrame label="How the page looks">
          <LegalText page={page} text={text} stored={[]} />
        </PreviewFrame>
      )}
    </div>
  );
}
