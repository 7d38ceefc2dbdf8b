import Papa from 'papaparse';
import { useRef } from 'react';
import type { StaffWine } from '../../../contract/wine/wines.ts';
import { type WineRow, writeWineRows } from '../../../domain/wine/wine-file.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { countOf } from '../imports/import-text.ts';
import { useWineFile } from './use-wine-file.ts';

interface WineFileDialogProps {
  wines: StaffWine[];
  onAdded: (wine: StaffWine) => void;
  onClose: () => void;
}

/** Downloads the list of wines as a file, and adds wines from one: the same columns both ways. */
export default function WineFileDialog({ wines, onAdded, onClose }: WineFileDialogProps) {
  const input = useRef<HTMLInputElement>(null);
  const { preview, problem, progress, read, add } = useWineFile(wines, onAdded);
  const ready = preview?.rows.filter(({ wine }) => wine !== null) ?? [];
  const wrong = preview?.rows.filter(({ wine }) => wine === null) ?? [];
  return (
    <Dialog
      open
      width="wide"
      title="Import or Export Wines"
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button
            disabled={ready.length === 0}
            busy={progress !== null}
            busyLabel="Adding..."
            onClick={() => void add()}
          >
            {ready.length === 0 ? 'Add Wines' : `Add ${countOf(ready.length, 'Wine')}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
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
      </div>
    </Dialog>
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
  const text = Papa.unparse(writeWineRows(wines, site.currency), { escapeFormulae: true });
  const url = URL.createObjectURL(new Blob(['\uFEFF', text, '\r\n'], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = 'wines.csv';
  link.click();
  URL.revokeObjectURL(url);
}
