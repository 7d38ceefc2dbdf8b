import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { PaperCard } from '../../../contract/card/card.ts';
import { api, orpc, serverMessage } from '../../api/client.ts';
import { logFailure } from '../../api/log-failure.ts';
import { useOnline } from '../../ui/offline-notice.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

export interface PaperCode {
  token: string | null;
  /** False without a code or a network to get one. */
  available: boolean;
  busy: boolean;
  /** The code, made now if necessary; null if that failed, with a message shown to the member. */
  prepare: () => Promise<string | null>;
  replace: () => Promise<void>;
}

const OWN = orpc.paperCards.getOwn;

/** The member's code for paper, made when they first download or print their card. */
export function usePaperCard(): PaperCode {
  const queries = useQueryClient();
  const online = useOnline();
  const { busy, send } = useSend();
  const { data } = useQuery({ ...OWN.queryOptions(), retry: false });
  const token = data?.token ?? null;

  const ask = async (request: () => Promise<PaperCard>, failure: string): Promise<PaperCard | null> => {
    let card: PaperCard | null = null;
    await send(
      async () => {
        card = await request();
        queries.setQueryData(OWN.queryKey(), card);
      },
      (error) => {
        logFailure('Getting a code for paper', error);
        toast.error(failure, {
          description: serverMessage(error) ?? 'Please try again when you are online.',
          of: error,
        });
      },
    );
    return card;
  };
  return {
    token,
    available: online || token !== null,
    busy,
    prepare: async () =>
      token ?? (await ask(() => api.paperCards.issue({}), 'We couldn’t prepare your card.'))?.token ?? null,
    replace: async () => {
      const card = await ask(() => api.paperCards.replace({}), 'We couldn’t replace your code.');
      if (card) toast.success('Your new code is ready', { description: 'Download it or print it again.' });
    },
  };
}
