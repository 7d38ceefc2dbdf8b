import { useQueryClient } from '@tanstack/react-query';
import type { PauseOffer } from '../../../contract/billing.ts';
import type { Subscription } from '../../../contract/functions.ts';
import type { PauseObstacle } from '../../../domain/membership/pause.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { useSend } from '../../ui/use-send.ts';

const OBSTACLES: Record<PauseObstacle, string> = {
  paused: 'Your membership is already paused.',
  payment_open: 'A payment is still open. Once it has gone through, you can pause.',
  ending: 'Your membership is canceled. Keep it first, then pause it.',
  change_pending: 'Another tier is about to start. Stay on your tier first, then pause.',
  approval_open: 'Your bank still has to approve a tier change. Approve or withdraw it first.',
  renewing: 'Your membership renews within the hour. Please try again after that.',
  too_soon: 'You have used the months you can pause in any twelve.',
  not_offered: 'Please write to us to pause your membership.',
};

export function obstacleText({ obstacle, again_at }: Pick<PauseOffer, 'obstacle' | 'again_at'>): string {
  if (obstacle === null) return '';
  const again =
    again_at === null
      ? ''
      : ` Your next pause can begin on ${dateOfInstant(again_at)}. Ask for it in the month before.`;
  return `${OBSTACLES[obstacle]}${again}`;
}

/** Makes a call that sets a pause, whose answer the account then shows. `words` says some refusals otherwise. */
export function usePauseCall(words: Partial<Record<PauseObstacle, string>> = {}) {
  const client = useQueryClient();
  const { busy, failure, send } = useSend();
  const call = (ask: () => Promise<{ subscription: Subscription | null }>) =>
    send(
      async () => {
        const answer = await ask();
        client.setQueryData(orpc.functions.getSubscriptionDetails.queryKey({ input: {} }), answer);
        // At the venue, the member's own record says it.
        if (answer.subscription === null) void client.invalidateQueries({ queryKey: orpc.members.key() });
      },
      (error) => {
        const refusal = refusalOf(error, 'PAUSE_REFUSED');
        return refusal
          ? { ...OBSTACLES, ...words }[refusal.data.reason]
          : (serverMessage(error) ?? 'Please try again in a few minutes.');
      },
      () => client.invalidateQueries({ queryKey: orpc.billing.getPause.key() }),
    );
  return { busy, failure, call };
}

/** Pauses the membership for a choice of the offer. `onPaused` runs with it before the account shows the pause. */
export function usePause(onPaused: (choice: PauseOffer['choices'][number]) => void) {
  const { busy, failure, call } = usePauseCall();
  const pause = (choice: PauseOffer['choices'][number]) =>
    call(async () => {
      const answer = await api.billing.pause({ months: choice.months });
      onPaused(choice);
      return answer;
    });
  return { busy, failure, pause };
}
