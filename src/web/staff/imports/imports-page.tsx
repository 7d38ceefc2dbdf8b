import CreditCard from 'lucide-react/icons/credit-card';
import Download from 'lucide-react/icons/download';
import Upload from 'lucide-react/icons/upload';
import { type DragEvent, useRef, useState } from 'react';
import { FIELD_LABELS, IMPORT_FIELDS } from '../../../domain/imports/import-fields.ts';
import { OPEN_STATUSES } from '../../../domain/imports/import-words.ts';
import { api, orpc } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { AnchorButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { useMay } from '../record/use-member-record.ts';
import { useBackToMore } from '../shell/back-links.tsx';
import { useAct } from '../use-act.ts';
import { FileFormatFields } from './file-format-fields.tsx';
import { OpenImportCards } from './open-import-cards.tsx';
import { PastImportsCard } from './past-imports-card.tsx';
import { isWorking, type UploadProgress, useImports, useUpload } from './use-imports.ts';

const OPEN: readonly string[] = OPEN_STATUSES;

export default function ImportsPage() {
  const query = useImports();
  const { data: imports = [] } = query;
  const { upload, progress, problem, read } = useUpload();
  const managesMoney = useMay('manage_money');
  const open = imports.find(({ status }) => OPEN.includes(status));
  const past = imports.filter((it) => it !== open);
  return (
    <PageShell
      width="wide"
      title="Import and Export"
      lead="Import members from another system, or download everyone as a file."
      back={useBackToMore()}
    >
      <Loaded query={query} failed="We couldn’t load the imports" card lines={6}>
        {() => (
          <>
            {open && !progress ? (
              <OpenImportCards of={open}>
                {read?.id === open.id && (
                  <FileFormatFields
                    read={read}
                    problem={problem}
                    onChange={(format) => void upload(read.file, format)}
                  />
                )}
              </OpenImportCards>
            ) : (
              <>
                <ChooseFileCard onFile={(file) => void upload(file)} progress={progress} problem={problem} />
                {managesMoney && !progress && site.payments === 'on' && <FindSubscriptionsCard />}
              </>
            )}
            {past.length > 0 && (
              <PastImportsCard imports={past} busy={open !== undefined || past.some(isWorking)} />
            )}
          </>
        )}
      </Loaded>
      <Card title="Export Everyone">
        <div className="flex flex-col items-start gap-4">
          <p className="max-w-[70ch]">
            Everyone with an account: tier, notes, tags, allergies, pours left, and the ids of card
            subscriptions at Stripe. You can import the file here again, or elsewhere. It holds personal data,
            so keep it safe.
          </p>
          <AnchorButton
            variant="secondary"
            href="/api/exports/members"
            download
            icon={<Download size={18} />}
          >
            Download All Members
          </AnchorButton>
        </div>
      </Card>
    </PageShell>
  );
}

/** For a venue whose members already paid through Stripe before it moved here. */
function FindSubscriptionsCard() {
  const find = useAct('We couldn’t reach Stripe. Please try again.', orpc.imports.key());
  return (
    <Card title="Members Who Already Pay Through Stripe">
      <div className="flex flex-col items-start gap-4">
        <p className="max-w-[70ch]">
          If your Stripe account already has subscriptions, you can turn them into memberships here. Card,
          price and billing date stay the same. You’ll see what happens to each one first. Nobody is charged,
          and no emails are sent unless you send them.
        </p>
        <Button
          variant="secondary"
          icon={<CreditCard size={18} />}
          busy={find.busy}
          busyLabel="Asking Stripe..."
          onClick={() => find.act(() => api.adoptions.create({}))}
        >
          Find Subscriptions
        </Button>
      </div>
    </Card>
  );
}

interface ChooseFileProps {
  onFile: (file: File) => void;
  progress: UploadProgress;
  problem: string | null;
}

function ChooseFileCard({ onFile, progress, problem }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <Card title="Import Members">
      <div className="flex flex-col gap-4">
        {problem && (
          <Notice tone="danger" role="alert" title="We couldn’t read this file">
            {problem}
          </Notice>
        )}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same by keyboard */}
        <div
          onDragOver={(event) => {
            event.preventDefault();
            setOver(true);
          }}
          onDragLeave={() => setOver(false)}
          onDrop={drop}
          className={classNames(
            'flex flex-col items-center gap-3 rounded-lg border-2 border-dashed px-5 py-8 text-center',
            over ? 'border-accent bg-accent-soft' : 'border-line',
          )}
        >
          {progress ? (
            <div className="flex w-full max-w-narrow flex-col gap-3">
              <p role="status">Reading the file…</p>
              <ProgressBar label="Rows read" value={progress.sent} max={progress.of} />
            </div>
          ) : (
            <>
              <Upload size={28} className="text-brass-text" />
              <p>Drop a CSV file here</p>
              <Button variant="secondary" onClick={() => input.current?.click()}>
                Choose a File
              </Button>
              <input
                ref={input}
                type="file"
                accept=".csv,.tsv,.txt,text/csv"
                aria-label="CSV file with members"
                hidden
                onChange={(event) => {
                  take(event.target.files);
                  // Cleared, so that the same file can be chosen again after a correction.
                  event.target.value = '';
                }}
              />
            </>
          )}
        </div>
        <p className="max-w-[76ch] text-ink-muted text-sm">
          The first row holds the column names; every row after it is one member. We can read:{' '}
          {IMPORT_FIELDS.map((it) => FIELD_LABELS[it].toLowerCase()).join(', ')}. Only email and name are
          required. You’ll see a preview before anything is imported. Nobody is charged, and no emails are
          sent unless you send them.
        </p>
      </div>
    </Card>
  );
}
