import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import type { ConsentWords } from '../../../domain/consent.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { ConsentText } from '../../brand/consent-text.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

/** Asks a member with an imported account, at the first sign-in, for the consent that others give when registering. */
export function AgreeCard({ words }: { words: ConsentWords }) {
  const client = useQueryClient();
  const id = useId();
  const { busy, send } = useSend();
  const agree = () =>
    send(
      () => api.profile.agree({ consent_version: words.version }),
      (error) => {
        const said = refusalOf(error, 'CONSENT_OUTDATED') ? serverMessage(error) : null;
        toast.error(said ?? 'We couldn’t save that. Please try again.', { of: error });
      },
      // Also after a refusal because the words changed: the card then shows the new ones.
      () => client.invalidateQueries({ queryKey: orpc.members.getOwn.key() }),
    );
  return (
    <Card title="Your Membership Moved Here">
      <div className="flex flex-col items-start gap-4">
        <p>The club created your account with the details it had. Nothing was charged.</p>
        <ConsentText words={words} id={id} />
        <Button aria-describedby={id} busy={busy} busyLabel="Saving..." onClick={agree}>
          Continue
        </Button>
      </div>
    </Card>
  );
}
