import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Household } from '../../../contract/sharing/household.ts';
import { api, orpc } from '../../api/client.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

/** Removes the partner (by the holder) or leaves the household (by the partner), after a confirmation. */
export function EndSharing({ role, other }: { role: Household['role']; other: string }) {
  const client = useQueryClient();
  const [asks, setAsks] = useState(false);
  const { busy, send } = useSend();
  const end = () =>
    send(
      async () => {
        await api.households.end({});
        setAsks(false);
        toast.success(role === 'holder' ? `You no longer share with ${other}` : 'You left the household');
      },
      (error) =>
        toast.error('Error', { description: 'We couldn’t end the sharing. Please try again.', of: error }),
      () =>
        Promise.all([
          client.invalidateQueries({ queryKey: orpc.households.key() }),
          client.invalidateQueries({ queryKey: orpc.members.key() }),
        ]),
    );
  const holder = role === 'holder';
  return (
    <>
      <Button variant="secondary" className="mt-5" onClick={() => setAsks(true)}>
        {holder ? `Stop Sharing with ${other}` : 'Leave This Household'}
      </Button>
      <AlertDialog
        open={asks}
        title={holder ? `Stop sharing with ${other}?` : 'Leave this household?'}
        description={
          holder
            ? `${other} will lose their card and pours right away, and keep their history. All remaining pours go back to you.`
            : 'You’ll lose your card and the shared pours right away, and keep your history.'
        }
        confirmLabel={holder ? 'Stop Sharing' : 'Leave'}
        busyLabel="One moment..."
        cancelLabel={holder ? 'Keep Sharing' : 'Stay'}
        busy={busy}
        onConfirm={end}
        onClose={() => setAsks(false)}
      />
    </>
  );
}
