import Papa from 'papaparse';
import { type FormEvent, useRef, useState } from 'react';
import type { StaffWine } from '../../../contract/wine/wines.ts';
import { stopFormulas } from '../../../domain/imports/import-values.ts';
import { MAX_WINES } from '../../../domain/wine/wine.ts';
import {
  readWineRows,
  type WineOfFile,
  type WineRow,
  wineFileProblem,
  writeWineRows,
} from '../../../domain/wine/wine-file.ts';
import { api, serverMessage } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { saveBlob } from '../../ui/save-blob.ts';
import { countOf } from '../imports/import-text.ts';
import { readCsvFile, UnreadableFile } from '../imports/read-file.ts';

interface WineFileDialogProps {
  wines: StaffWine[];
  onAdded: (wine: StaffWine) => void;
  onClose: () => void;
}

export default function WineFileDialog({ wines, onAdded, onClose }: WineFileDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  const { preview, problem, progress, read, add } = useWineFile(wines, onAdded);
  const ready = preview?.rows.filter(({ wine }) => wine !== null) ?? [];
  const wrong = preview?.rows.filter(({ wine }) => wine === null) ?? [];
  return (
    <FormDialog
      form={{ props: { onSubmit: add }, busy: progress !== null }}
      width="wide"
      title="Import or Export Wines"
      onClose={onClose}
      submitLabel={ready.length === 0 ? 'Add Wines' : `Add ${countOf(ready.length, 'Wine')}`}
      busyLabel="Adding..."
      disabled={ready.length === 0}
    >
      <p className="text-ink-muted">
        A CSV file with a line for each wine. Download the list to see the columns; name, color, sweetness,
        body, tannin and acidity are needed. New wines go to the end of the list and aren’t open yet.
      </p>
      {problem && (
        <Notice tone="danger" role="alert" title="We couldn’t read this file">
          {problem}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="secondary" disabled={progress !== null} onClick={() => input.current?.click()}>
          Choose a File
        </Button>
        <Button variant="secondary" onClick={() => download(wines)}>
          Download the List
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-label="CSV file with wines"
          hidden
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) void read(file);
            // Cleared, so that the same file can be chosen again after a correction.
            target.value = '';
          }}
        />
      </div>
      {progress && (
        <ProgressBar
          label="Wines added"
          value={progress.done}
          max={progress.of}
          valueText={`${progress.done} of ${progress.of}`}
        />
      )}
      {preview && !progress && (
        <p role="status">
          {`${countOf(ready.length, 'wine')} in ${preview.file} can be added`}
          {wrong.length > 0 && `, ${countOf(wrong.length, 'row')} cannot`}.
        </p>
      )}
      {wrong.length > 0 && <Problems rows={wrong} />}
    </FormDialog>
  );
}

function Problems({ rows }: { rows: WineRow[] }) {
  return (
    <DataTable
      caption="Rows that are not added"
      columns={[
        { key: 'row', header: 'Row', cell: ({ row_no }) => row_no },
        { key: 'wine', header: 'Wine', isRowHeader: true, cell: ({ name }) => name || '–' },
        { key: 'why', header: 'Why', cell: ({ problems }) => problems.join(' ') },
      ]}
      rows={rows}
      rowKey={({ row_no }) => String(row_no)}
    />
  );
}

/** Includes the byte order mark that Excel needs to read UTF-8, and no cell that Excel would run as a formula. */
function download(wines: StaffWine[]): void {
  const rows = writeWineRows(wines, site.currency);
  const text = Papa.unparse(
    rows.map((row) => row.map((it) => (typeof it === 'string' ? stopFormulas(it) : it))),
    { quotes: (value) => /[;\t]/.test(String(value)) },
  );
  saveBlob(new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv' }), 'wines.csv');
}

type Preview = { file: string; rows: WineRow[] } | null;

/** Wines from a file: first a preview, then one call for each wine, which adds it completely or not at all. */
function useWineFile(wines: StaffWine[], onAdded: (wine: StaffWine) => void) {
  const [preview, setPreview] = useState<Preview>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);

  async function read(file: File): Promise<void> {
    setProblem(null);
    setPreview(null);
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const isHeader = (cells: string[]) => wineFileProblem(cells) === null;
      const { columns, rows } = readCsvFile(bytes, 'wine', MAX_WINES, { isHeader });
      const wrong = wineFileProblem(columns);
      if (wrong) setProblem(wrong);
      else setPreview({ file: file.name, rows: readWineRows(columns, rows, wines, site.currency) });
    } catch (error) {
      setProblem(error instanceof UnreadableFile ? error.message : 'We couldn’t read this file.');
    }
  }

  /** Adds the wines without a problem. Those that the server refuses stay in the list, with the reason. */
  async function add(event: FormEvent): Promise<void> {
    event.preventDefault();
    const candidates = preview?.rows.filter(({ wine }) => wine !== null) ?? [];
    let rest = preview?.rows.filter(({ wine }) => wine === null) ?? [];
    for (const [done, row] of candidates.entries()) {
      if (!row.wine) continue;
      setProgress({ done, of: candidates.length });
      try {
        onAdded(await retryWhenLimited(() => api.wines.create(draftOf(row.wine))));
      } catch (error) {
        const why = serverMessage(error) ?? 'We couldn’t add it. Please try this row again.';
        rest = [...rest, { row_no: row.row_no, name: row.name, wine: null, problems: [why] }];
      }
    }
    setProgress(null);
    setPreview(preview && { ...preview, rows: rest.toSorted((a, b) => a.row_no - b.row_no) });
  }
  return { preview, problem, progress, read, add };
}

function draftOf(wine: WineOfFile) {
  const { vintage, cost_cents, ...words } = wine;
  return {
    ...words,
    ...(vintage !== null && { vintage }),
    ...(typeof cost_cents === 'number' && { cost_cents }),
  };
}

/** Waits if the server asks for it: a long list exceeds the limit per minute. */
async function retryWhenLimited<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const { code, data } = error as { code?: string; data?: { retry_after_seconds?: number } };
      const seconds = code === 'TOO_MANY_ATTEMPTS' ? data?.retry_after_seconds : undefined;
      if (seconds === undefined) throw error;
      await new Promise((later) => setTimeout(later, seconds * 1000));
    }
  }
}
