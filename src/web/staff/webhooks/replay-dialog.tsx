import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

const HOUR_MS = 3_600_000;
const SPANS = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
];

/** Sends events since a given time again, to a system that lost them. */
export function ReplayDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient();
  const [hours, setHours] = useState('24');
  const { busy, send } = useSend();
  const replay = () =>
    send(
      async () => {
        const since = new Date(Date.now() - Number(hours) * HOUR_MS).toISOString();
        const { replayed } = await api.webhooks.replaySince({ id, since });
        toast.success(replayed === 1 ? 'Sending 1 message again' : `Sending ${replayed} messages again`);
        await client.invalidateQueries({ queryKey: orpc.webhooks.key() });
        onClose();
      },
      (error) =>
        toast.error(serverMessage(error) ?? 'We couldn’t send them again. Please try again.', { of: error }),
    );
  return (
    <Dialog
      open
      title="Send Again"
      onClose={onClose}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button busy={busy} busyLabel="Sending..." onClick={replay}>
            Send Again
          </Button>
        </>
      }
    >
      <p>Every message of this time will be sent again with its original id, whether or not it arrived.</p>
      <SelectField
        id="replay-since"
        label="Messages of"
        options={SPANS}
        value={hours}
        onChange={(event) => setHours(event.target.value)}
      />
    </Dialog>
  );
}
