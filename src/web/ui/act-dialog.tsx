import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { serverMessage } from '../api/api-error.ts';
import { AlertDialog, type AlertDialogProps } from './alert-dialog.tsx';
import { toast } from './toast.ts';
import { useSend } from './use-send.ts';

interface ActDialogProps extends Omit<AlertDialogProps, 'open' | 'busy' | 'onConfirm'> {
  /** Resolves to the text of a success toast, if any. */
  act: () => Promise<string | undefined>;
  failed: string;
  /** Loaded again after either outcome, before the dialog closes. */
  reload: QueryKey;
}

/** An <AlertDialog> that sends one act, says what came of it in a toast, and closes. */
export function ActDialog({ act, failed, reload, onClose, ...dialog }: ActDialogProps) {
  const client = useQueryClient();
  const { busy, send } = useSend();
  const confirm = () =>
    send(
      async () => {
        const done = await act();
        if (done) toast.success(done);
      },
      (error) => toast.error(serverMessage(error) ?? failed, { of: error }),
      async () => {
        await client.invalidateQueries({ queryKey: reload });
        onClose();
      },
    );
  return <AlertDialog {...dialog} open busy={busy} onConfirm={confirm} onClose={onClose} />;
}
