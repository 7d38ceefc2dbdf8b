import { useQueryClient } from '@tanstack/react-query';
import { api, orpc } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

export function SettleButton({ id, settled, about }: { id: string; settled: boolean; about: string }) {
  const client = useQueryClient();
  const queryKey = orpc.staffNotices.list.queryKey();
  // The row stays in place until the list reloads, so that nothing moves under a thumb.
  const { busy, send } = useSend();
  const change = () =>
    send(
      async () => {
        const notice = await (settled ? api.staffNotices.reopen({ id }) : api.staffNotices.settle({ id }));
        client.setQueryData(queryKey, (notices) => notices?.map((each) => (each.id === id ? notice : each)));
      },
      (error) => toast.error('We couldn’t change the notice. Please try again.', { of: error }),
    );
  const label = settled ? 'Undo' : 'Mark as Settled';
  return (
    <Button
      variant={settled ? 'quiet' : 'secondary'}
      size="sm"
      className={classNames('justify-self-start', settled && '-ml-3')}
      aria-label={`${label}: ${about}`}
      busy={busy}
      onClick={change}
    >
      {label}
    </Button>
  );
}
