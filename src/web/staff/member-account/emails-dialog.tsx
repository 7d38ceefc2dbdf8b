import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { MemberEmail } from '../../../contract/staff/member-account.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { formatDateTime } from '../venue-dates.ts';

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
  const query = useQuery(orpc.memberEmails.list.queryOptions({ input: { customer_id: customerId } }));
  return (
    <Dialog title="Resend an Email" onClose={onClose}>
      <Loaded query={query} action="Loading the emails" lines={2}>
        {(emails) => <MembershipEmails customerId={customerId} emails={emails} />}
      </Loaded>
    </Dialog>
  );
}

function MembershipEmails({ customerId, emails }: { customerId: string; emails: MemberEmail[] }) {
  const client = useQueryClient();
  const { busy, send } = useSend();
  const [sent, setSent] = useState<MemberEmail['kind']>();
  const sendAgain = (kind: MemberEmail['kind']) => {
    setSent(kind);
    return send(async () => {
      const { queryKey } = orpc.memberEmails.list.queryOptions({ input: { customer_id: customerId } });
      client.setQueryData(queryKey, await api.memberEmails.send({ customer_id: customerId, kind }));
      toast.success('Email sent');
    }, showNotSent);
  };
  if (emails.length === 0) {
    return <p>This member has no receipt, and no ongoing membership paid by card.</p>;
  }
  return (
    <ul className="divide-y divide-line">
      {emails.map(({ kind, sent_at }) => (
        <li key={kind} className="flex flex-wrap items-center justify-between gap-3 py-3">
          <span>
            <span className="block font-semibold">{NAMES[kind]}</span>
            <span className="block text-ink-muted text-sm">
              {sent_at ? `Last sent ${formatDateTime(sent_at)}` : 'Date unknown'}
            </span>
          </span>
          <Button
            variant="secondary"
            size="sm"
            aria-label={`Send ${NAMES[kind]}`}
            busy={busy && sent === kind}
            busyLabel="Sending..."
            disabled={busy}
            onClick={() => sendAgain(kind)}
          >
            Send
          </Button>
        </li>
      ))}
    </ul>
  );
}
