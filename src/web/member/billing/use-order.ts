import { useState } from 'react';
import type { ConsentWords } from '../../../domain/consent.ts';
import { refusalOf, serverMessage } from '../../api/client.ts';
import { useSend } from '../../ui/use-send.ts';

/**
 * What a member who pays at the venue can order online: leads to the payment page that `order` returns, with the consent shown
 * beside the button. `refused`: the message if the club’s rules forbid it now.
 */
export function useOrder(
  consent: ConsentWords,
  order: (agreed: { consentVersion: string }) => Promise<{ url: string }>,
  refused: string,
) {
  /** The server's text, after it refused the one made here. */
  const [currentWords, setCurrentWords] = useState<ConsentWords | null>(null);
  const { busy, failure, send } = useSend();
  const words = currentWords ?? consent;
  const pay = () =>
    send(
      async () => window.location.assign((await order({ consentVersion: words.version })).url),
      (error) => {
        const current = refusalOf(error, 'CONSENT_OUTDATED')?.data.current;
        if (current) setCurrentWords(current);
        if (refusalOf(error, 'DUES_REFUSED')) return refused;
        return serverMessage(error) ?? 'Failed to start payment process. Please try again.';
      },
    );
  return { words, busy, failure, pay };
}
