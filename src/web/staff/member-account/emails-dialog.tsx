import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberEmail } from '../../../contract/staff/member-account.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { formatDateTime } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

const NAMES = { receipt: 'Last Receipt', welcome: 'Welcome' };

export function showNotSent(error: unknown): void {
  toast.error('We couldn’t send the email', {
    description: refusalOf(error, 'TOO_MANY_ATTEMPTS')
      ? 'This member has already been sent several emails. Check the email, or try again later.'
      : (serverMessage(error) ?? 'Please try again.'),
    of: error,
  });
}

export function EmailsDialog({ customerId, onClose }: { customerId: string; onClose: () => void }) {
  const query = useQuery(orpc.memberLetters.list.queryOptions({ input: { customer_id: customerId } }));
  return (
    <Dialog title="Resend an Email" onClose={onClose}>
      <Loaded query={query} action="Loading the emails" lines={2}>
        {(letters) => <MembershipEmails customerId={customerId} letters={letters} />}
      </Loaded>
    </Dialog>
  );
}

function MembershipEmails({ customerId, letters }: { customerId: string; letters: MemberEmail[] }) {
  const client = useQueryClient();
  const { busy, send } = useSend();
  const [sent, setSent] = useState<MemberEmail['letter']>();
  const sendAgain = (letter: MemberEmail['letter']) => {
    setSent(letter);
    return send(async () => {
      const { queryKey } = orpc.memberLetters.list.queryOptions({ input: { customer_id: customerId } });
      client.setQueryData(queryKey, await api.memberLetters.send({ customer_id: customerId, letter }));
      toast.success('Email sent');
    }, showNotSent);
  };
  if (letters.length === 0) {
    return <p>This member has no receipt, and no ongoing membership paid by card.</p>;
  }
  return (
    <ul className="divide-y divide-line">
      {letters.map(({ letter, sent_at }) => (
        <li key={letter} className="flex flex-wrap items-center justify-between gap-3 py-3">
          <span>
            <span className="block font-semibold">{NAMES[letter]}</span>
            <span className="block text-ink-muted text-sm">
              {sent_at ? `Last sent ${formatDateTime(sent_at)}` : 'Date unknown'}
            </span>
          </span>
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Send ${NAMES[letter]}`}
            busy={busy && sent === letter}
            busyLabel="Sending..."
            disabled={busy}
            onClick={() => sendAgain(letter)}
          >
            Send
          </Button>
        </li>
      ))}
    </ul>
  );
}
