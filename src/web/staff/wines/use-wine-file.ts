import { useState } from 'react';
import type { StaffWine } from '../../../contract/wine/wines.ts';
import { MAX_WINES } from '../../../domain/wine/wine.ts';
import {
  readWineRows,
  type WineOfFile,
  type WineRow,
  wineFileProblem,
} from '../../../domain/wine/wine-file.ts';
import { api, serverMessage } from '../../api/client.ts';
import { site } from '../../api/site.ts';
import { readCsvFile, UnreadableFile } from '../imports/read-file.ts';

/** The contents of the chosen file; null before one is chosen. */
type Preview = { file: string; rows: WineRow[] } | null;

/** Wines from a file: first a preview, then one call for each wine, which adds it completely or not at all. */
export function useWineFile(listed: StaffWine[], onAdded: (wine: StaffWine) => void) {
  const [preview, setPreview] = useState<Preview>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [progress, setProgress] = useState<{ done: number; of: number } | null>(null);

  async function read(file: File): Promise<void> {
    setProblem(null);
    setPreview(null);
    try {
      const { columns, rows } = readCsvFile(new Uint8Array(await file.arrayBuffer()), 'wine', MAX_WINES);
      const wrong = wineFileProblem(columns);
      if (wrong) setProblem(wrong);
      else setPreview({ file: file.name, rows: readWineRows(columns, rows, listed, site.currency) });
    } catch (error) {
      setProblem(error instanceof UnreadableFile ? error.message : 'We couldn’t read this file.');
    }
  }

  /**
   * Adds the wines without a problem, in the order of the file. Wines that the server refuses stay in the list, with the
   * reason.
   */
  async function add(): Promise<void> {
    const wanted = preview?.rows.filter(({ wine }) => wine !== null) ?? [];
    let left = preview?.rows.filter(({ wine }) => wine === null) ?? [];
    for (const [done, row] of wanted.entries()) {
      if (!row.wine) continue;
      setProgress({ done, of: wanted.length });
      try {
        onAdded(await patiently(() => api.wines.create(draftOf(row.wine))));
      } catch (error) {
        const why = serverMessage(error) ?? 'We couldn’t add it. Please try this row again.';
        left = [...left, { row_no: row.row_no, name: row.name, wine: null, problems: [why] }];
      }
    }
    setProgress(null);
    setPreview(preview && { ...preview, rows: left.toSorted((a, b) => a.row_no - b.row_no) });
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
async function patiently<T>(call: () => Promise<T>): Promise<T> {
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
