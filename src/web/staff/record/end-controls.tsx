import { useQuery } from '@tanstack/react-query';
import DoorClosed from 'lucide-react/icons/door-closed';
import { useState } from 'react';
import type { MemberDetail } from '../../../contract/members.ts';
import { api, orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { failureToast, toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { EndDialog } from './end-dialog.tsx';
import { UNDER_WAY, useKeepOffer } from './use-keep-offer.ts';

/** Opens the dialog to end a membership. Renders nothing without a membership. */
export function EndButton({ member }: { member: MemberDetail }) {
  const [open, setOpen] = useState(false);
  const { standing, customer } = member;
  if (standing === 'inactive' || standing === 'ended') return null;
  return (
    <>
      <Button
        variant="secondary"
        size="sm"
        icon={<DoorClosed size={18} aria-hidden="true" />}
        onClick={() => setOpen(true)}
      >
        End Membership
      </Button>
      {open && <EndDialog member={member} key={customer.id} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Announces the end of a membership, with a button to keep it if staff ended it. */
export function EndNotice({ customerId }: { customerId: string }) {
  const keepOffer = useKeepOffer(customerId);
  const { data } = useQuery(orpc.membershipEnd.get.queryOptions({ input: { customer_id: customerId } }));
  const { busy, send } = useSend();
  const keep = () =>
    send(
      async () => {
        const offer = await api.membershipEnd.withdraw({ customer_id: customerId });
        keepOffer(offer);
        if (offer.ending) toast.info('Stripe has not answered yet', { description: UNDER_WAY });
        else toast.success('The membership continues');
      },
      failureToast('The membership still ends', 'Please try again.'),
    );
  if (!data?.ending) return null;
  const { at, by, under_way } = data.ending;
  const day = dateOfInstant(at);
  if (by === 'member') {
    return (
      <Notice title={`Ends on ${day}`}>
        The member canceled. Only they can keep the membership, in their account.
      </Notice>
    );
  }
  return (
    <Notice
      title={`Ends on ${day}`}
      action={
        <Button variant="secondary" size="sm" busy={busy} busyLabel="One moment..." onClick={keep}>
          Keep the Membership
        </Button>
      }
    >
      {under_way ? UNDER_WAY : 'Staff ended this membership. It can be kept until that day.'}
    </Notice>
  );
}
