import { useState } from 'react';
import type { MemberImport } from '../../../contract/staff/imports.ts';
import { api, orpc } from '../../api/client.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { AnchorButton } from '../../ui/link-button.tsx';
import { useMay } from '../record/use-member-record.ts';
import { dateOfInstant } from '../venue-dates.ts';
import { ImportRows } from './import-rows.tsx';
import { countOf, importResult } from './import-text.ts';

export function PastImportsCard({ imports, busy }: { imports: MemberImport[]; busy: boolean }) {
  return (
    <Card title="Imports So Far" padding="plain">
      <ul className="divide-y divide-line">
        {imports.map((it) => (
          <PastImport key={it.id} of={it} busy={busy} />
        ))}
      </ul>
    </Card>
  );
}

type Question = 'undo' | 'email';

function PastImport({ of: it, busy }: { of: MemberImport; busy: boolean }) {
  const [question, setQuestion] = useState<Question | null>(null);
  const isStripe = it.source === 'stripe';
  const managesMoney = useMay('manage_money');
  const close = () => setQuestion(null);
  const toEmail = it.imported_rows - it.emailed_rows;
  const isImported = it.status === 'imported';
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:px-7">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="break-all font-semibold">{it.file_name}</p>
        <p className="text-ink-muted text-sm">{dateOfInstant(it.created_at)}</p>
      </div>
      <p>
        {importResult(it)}
        {it.emails_wanted && `. Emails: ${it.emailed_rows} of ${it.imported_rows} sent`}
        {!it.emails_wanted && it.emailed_rows > 0 && `. ${countOf(it.emailed_rows, 'email')} sent`}
      </p>
      {it.has_rows ? (
        <div className="flex flex-wrap gap-2">
          <AnchorButton variant="secondary" size="sm" href={`/api/imports/${it.id}/csv`} download>
            Report by Row
          </AnchorButton>
          {isImported && !it.emails_wanted && toEmail > 0 && (
            <Button variant="secondary" size="sm" onClick={() => setQuestion('email')}>
              Email Them
            </Button>
          )}
          {it.imported_rows > 0 && (managesMoney || !isStripe) && (
            <Button
              variant="quiet"
              size="sm"
              className="-ml-3"
              disabled={busy}
              onClick={() => setQuestion('undo')}
            >
              Undo
            </Button>
          )}
        </div>
      ) : (
        <p className="text-ink-muted text-sm">
          Its rows were deleted after 30 days, so it can no longer be undone.
        </p>
      )}
      {it.status === 'undone' && it.kept_rows > 0 && it.has_rows && (
        <details>
          <summary className="target cursor-pointer text-accent-text text-sm">Who stayed, and why</summary>
          <ImportRows of={it} which="kept" caption="Members who stayed when the import was undone" />
        </details>
      )}
      {question === 'undo' && (
        <ActDialog
          title={isStripe ? 'Give these subscriptions back?' : 'Undo this import?'}
          description={
            isStripe
              ? `${countOf(it.imported_rows, 'subscription')} will continue at Stripe, and the memberships here are removed. Anyone who has since signed in, had a pour or been charged stays. You’ll see who, and why.`
              : `${countOf(it.imported_rows, 'member')} will be removed as if they had never been imported. Anyone who has since signed in, had a pour or paid, or whose record has changed, stays. You’ll see who, and why.`
          }
          confirmLabel={isStripe ? 'Give Back' : 'Undo Import'}
          busyLabel="Starting..."
          act={async () => void (await (isStripe ? api.adoptions.undo : api.imports.undo)({ id: it.id }))}
          failed="We couldn’t undo it. Please try again."
          reload={orpc.imports.key()}
          onClose={close}
        />
      )}
      {question === 'email' && (
        <ActDialog
          tone="primary"
          title={`Email ${countOf(toEmail, 'member')}?`}
          description="Each gets a link to choose a password, valid for 14 days. About 150 emails go out per minute."
          confirmLabel="Send Emails"
          busyLabel="Starting..."
          act={async () => void (await api.imports.sendEmails({ id: it.id }))}
          failed="We couldn’t send the emails. Please try again."
          reload={orpc.imports.key()}
          onClose={close}
        />
      )}
    </li>
  );
}
