import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberImport } from '../../../contract/staff/imports.ts';
import { dateOrderOf } from '../../../domain/imports/import-values.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import type { FileFormat } from './file-format.ts';
import { readMemberFile, requestsOf, UnreadableFile } from './read-file.ts';

const WORKING: MemberImport['status'][] = ['reading', 'checking', 'importing', 'undoing'];

export const isWorking = ({ status, emails_wanted }: MemberImport): boolean =>
  WORKING.includes(status) || emails_wanted;

export const useImports = () =>
  useQuery(
    orpc.imports.list.queryOptions({
      refetchInterval: ({ state }) => (state.data?.some(isWorking) ? 1000 : false),
    }),
  );

/** Rows being sent to the server; null if none. */
export type UploadProgress = { sent: number; of: number } | null;

/** The file of an open import that this page has read, and how. */
export interface ReadFile {
  id: string;
  file: File;
  format: FileFormat;
  title_lines: number;
  /** A few cells with letters beyond A to Z: those that a wrong encoding would spoil. */
  samples: string[];
}

const SAMPLES = 6;

export function useUpload() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<UploadProgress>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [read, setRead] = useState<ReadFile | null>(null);

  /** Reads and uploads a file; one that is open already is replaced, as when it is read in another format. */
  async function upload(file: File, format: Partial<FileFormat> = {}): Promise<void> {
    setProblem(null);
    setProgress({ sent: 0, of: 1 });
    let begun: string | null = null;
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const { columns, rows, lines, ...how } = readMemberFile(bytes, format);
      const pieces = [...requestsOf(rows, lines)];
      if (read?.file === file) await api.imports.discard({ id: read.id }).catch(() => undefined);
      const upload = await api.imports.create({ file_name: file.name.slice(-200), columns });
      const { id, mapping, name_order } = upload;
      begun = id;
      for (const piece of pieces) {
        await withRetries(() => api.imports.addRows({ id, ...piece }));
        setProgress({ sent: piece.first_row - 1 + piece.rows.length, of: rows.length });
      }
      const places = [mapping.birthday, mapping.member_since];
      const days = rows.flatMap((row) =>
        places.map((place) => (place === undefined ? '' : (row[place] ?? ''))),
      );
      const date_order = dateOrderOf(days) ?? upload.date_order;
      const samples = [...new Set(rows.flat().filter((cell) => /\P{ASCII}/u.test(cell)))];
      setRead({ id, file, ...how, samples: samples.slice(0, SAMPLES) });
      // If a column is missing, the page asks for it.
      await api.imports.check({ id, mapping, date_order, name_order }).catch(() => undefined);
    } catch (error) {
      setProblem(
        error instanceof UnreadableFile
          ? error.message
          : (serverMessage(error) ?? 'We couldn’t upload the file. Please try again.'),
      );
      // A partial file is useless.
      if (begun) await api.imports.discard({ id: begun }).catch(() => undefined);
    } finally {
      setProgress(null);
      await client.invalidateQueries({ queryKey: orpc.imports.key() });
    }
  }
  return { upload, progress, problem, read };
}

const TRIES = 4;

/** Retries after network failures: the same rows sent twice are stored once. */
async function withRetries<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (serverMessage(error) || tries === TRIES) throw error;
      await new Promise((later) => setTimeout(later, 500 * tries));
    }
  }
}
