import Upload from 'lucide-react/icons/upload';
import { type DragEvent, useRef, useState } from 'react';
import { FIELD_LABELS, IMPORT_FIELDS } from '../../../domain/imports/import-fields.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import type { UploadProgress } from './use-imports.ts';

interface ChooseFileProps {
  onFile: (file: File) => void;
  progress: UploadProgress;
  problem: string | null;
}

/** A place to drop or choose a file. No member is changed before the next page asks. */
export function ChooseFileCard({ onFile, progress, problem }: ChooseFileProps) {
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
              <Upload size={28} aria-hidden="true" className="text-brass-text" />
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
