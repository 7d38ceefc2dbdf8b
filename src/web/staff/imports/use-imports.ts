import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberImport } from '../../../contract/staff/imports.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
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

export function useUpload() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<UploadProgress>(null);
  const [problem, setProblem] = useState<string | null>(null);

  async function upload(file: File): Promise<void> {
    setProblem(null);
    setProgress({ sent: 0, of: 1 });
    let begun: string | null = null;
    try {
      const { columns, rows } = readMemberFile(new Uint8Array(await file.arrayBuffer()));
      const pieces = [...requestsOf(rows)];
      const { id, mapping, date_order } = await api.imports.create({
        file_name: file.name.slice(-200),
        columns,
      });
      begun = id;
      for (const piece of pieces) {
        await withRetries(() => api.imports.addRows({ id, ...piece }));
        setProgress({ sent: piece.first_row - 1 + piece.rows.length, of: rows.length });
      }
      // If a column is missing, the page asks for it.
      await api.imports.check({ id, mapping, date_order }).catch(() => undefined);
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
  return { upload, progress, problem };
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
