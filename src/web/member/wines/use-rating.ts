import { useQueryClient } from '@tanstack/react-query';
import type { Verdict } from '../../../domain/taste.ts';
import { api, orpc } from '../../api/client.ts';
import { failureToast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

/** `rate` saves the member's verdict on a glass, and resolves to whether it was saved. */
export function useRating(pourId: string) {
  const client = useQueryClient();
  const { busy, send } = useSend();
  const rate = (verdict: Verdict, comment: string): Promise<boolean> =>
    send(
      async () => {
        const text = comment.trim();
        await api.ratings.save({ id: pourId, verdict, ...(text && { comment: text }) });
        void client.invalidateQueries({ queryKey: orpc.pours.list.key() });
        void client.invalidateQueries({ queryKey: orpc.ratings.getPalate.key() });
      },
      failureToast('We couldn’t save your answer', 'Please try again.'),
    );
  return { busy, rate };
}
