import { useState } from 'react';
import { LEGAL_PAGES, LEGAL_TITLES, type LegalPage } from '../../../../domain/club/public-pages.ts';
import { PageShell } from '../../../ui/page-shell.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { useBackToMore } from '../../shell/back-links.tsx';
import { ClubPart } from '../club-part.tsx';
import { ClubPageForm } from './club-page-form.tsx';
import { LegalForm } from './legal-form.tsx';

const OPTIONS = [
  { value: 'club', label: 'The Club’s Page' },
  ...LEGAL_PAGES.map((page) => ({ value: page, label: LEGAL_TITLES[page] })),
];

/** The pages that anyone can read: staff edit their texts. */
export function PublicPagesPage() {
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
