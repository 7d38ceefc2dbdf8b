import { useQuery, useQueryClient } from '@tanstack/react-query';
import DoorClosed from 'lucide-react/icons/door-closed';
import { useState } from 'react';
import type { MemberDetail } from '../../../contract/members.ts';
import type { EndOffer } from '../../../contract/staff/membership-end.ts';
import type { EndObstacle, EndTime } from '../../../domain/membership/end.ts';
import { pourCount } from '../../../domain/pour.ts';
import {
  LEAVING_REASON_BRIEF,
  LEAVING_REASONS,
  type LeavingReason,
} from '../../../domain/reports/leaving-reason.ts';
import { api, orpc, refusalOf, serverMessage } from '../../api/client.ts';
import { withTax } from '../../format/money.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { FieldPair } from '../../ui/field.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { failureToast, toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { refreshMembers } from '../refresh-members.ts';
import { dateOfInstant } from '../venue-dates.ts';

export function EndButton({ member }: { member: MemberDetail }) {
  const [open, setOpen] = useState(false);
  const { standing, customer } = member;
  if (standing === 'inactive' || standing === 'ended') return null;
  return (
    <>
      <Button variant="secondary" size="sm" icon={<DoorClosed size={18} />} onClick={() => setOpen(true)}>
        End Membership
      </Button>
      {open && <EndDialog member={member} key={customer.id} onClose={() => setOpen(false)} />}
    </>
  );
}

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
  const charge = data.period_end && at <= data.period_end ? lastChargeText(data) : '';
  if (by === 'member') {
    return (
      <Notice title={`Ends on ${day}`}>
        The member canceled. Only they can keep the membership, in their account. {charge}
      </Notice>
    );
  }
  if (by === 'card') {
    return (
      <Notice title={`Paid by card from ${day}`}>
        The member ordered it, and can stay with paying at the venue until then, in their account.
      </Notice>
    );
  }
  if (by === 'year') {
    return (
      <Notice title={`A year from ${day}`}>
        The member paid for a year that follows. They can go on by the month until then, in their account.
      </Notice>
    );
  }
  if (by === 'given') {
    return <Notice title={`Ends on ${day}`}>It was given until that day, and ends by itself.</Notice>;
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
      {under_way ? UNDER_WAY : 'Staff ended this membership. It can be kept until that day.'} {charge}
    </Notice>
  );
}

const OBSTACLES: Record<EndObstacle, string> = {
  no_membership: 'There is no membership to end: it has already ended.',
  ending: 'This membership already ends with its period. You can still end it now.',
  overdue: 'A payment is due, so there is no paid period: the membership can only end now.',
  by_member: 'The member canceled. Only they can keep the membership, in their account.',
  not_ending: 'This membership already continues.',
};

function EndDialog({ member, onClose }: { member: MemberDetail; onClose: () => void }) {
  const customer_id = member.customer.id;
  const queries = useQueryClient();
  const keepOffer = useKeepOffer(customer_id);
  const [chosen, setWhen] = useState<EndTime>('period_end');
  const [reason, setReason] = useState<LeavingReason | ''>('');
  const [missing, setMissing] = useState(false);
  const query = useQuery(orpc.membershipEnd.get.queryOptions({ input: { customer_id }, staleTime: 0 }));
  const offer = query.data;
  const when = offer?.obstacle ? 'now' : chosen;
  const { busy, failure, send } = useSend();
  const end = () => {
    const period_end = offer?.period_end;
    if (!period_end) return onClose();
    if (reason === '') return setMissing(true);
    void send(
      async () => {
        const after = await api.membershipEnd.create({ customer_id, when, reason, period_end });
        keepOffer(after);
        if (after.ending?.under_way) toast.info('The membership is ending', { description: UNDER_WAY });
        else toast.success(after.ending ? `Ends on ${dateOfInstant(after.ending.at)}` : 'Membership ended');
        onClose();
      },
      async (error) => {
        await queries.invalidateQueries({ queryKey: orpc.membershipEnd.key() });
        const refusal = refusalOf(error, 'END_REFUSED');
        return refusal
          ? OBSTACLES[refusal.data.reason]
          : (serverMessage(error) ?? 'Nothing was changed. Please try again.');
      },
    );
  };
  return (
    <AlertDialog
      open
      title="End Membership"
      description={`${member.profile.first_name} gets an email.`}
      confirmLabel={
        when === 'now' || !offer?.period_end ? 'End It Now' : `End on ${dateOfInstant(offer.period_end)}`
      }
      busyLabel="One moment..."
      cancelLabel="Keep It"
      busy={busy}
      onConfirm={end}
      onClose={onClose}
    >
      <Loaded query={query} action="Loading the membership" lines={4}>
        {(current) =>
          current.period_end ? (
            <>
              <FieldPair>
                <SelectField
                  label="When"
                  options={endChoices(current)}
                  value={when}
                  onChange={(event) => setWhen(event.target.value as EndTime)}
                />
                <SelectField
                  label="Reason"
                  options={[
                    { value: '', label: 'Choose one' },
                    ...LEAVING_REASONS.map((value) => ({ value, label: LEAVING_REASON_BRIEF[value] })),
                  ]}
                  value={reason}
                  {...(missing && reason === '' ? { error: 'Choose a reason.' } : {})}
                  onChange={(event) => setReason(event.target.value as LeavingReason | '')}
                />
              </FieldPair>
              <Notice title="What it means">{endEffect(current, when, member.available_pours)}</Notice>
            </>
          ) : (
            <p>{OBSTACLES.no_membership}</p>
          )
        }
      </Loaded>
      <FormError of={failure} />
    </AlertDialog>
  );
}

function endChoices({ paid_by, period_end, obstacle }: EndOffer) {
  const now = { value: 'now', label: 'Now' };
  if (obstacle || !period_end) return [now];
  const what = paid_by === 'card' ? 'month’s end' : 'end of what is paid';
  return [{ value: 'period_end', label: `${dateOfInstant(period_end)} (${what})` }, now];
}

/** '$12.00 is charged that day, for changes to the membership.'; empty if nothing waits for an invoice. */
const lastChargeText = ({ last_charge }: EndOffer): string =>
  last_charge
    ? `${withTax(last_charge.amount, last_charge)} is charged that day, for changes to the membership.`
    : '';

function endEffect(offer: EndOffer, when: EndTime, glasses: number): string {
  const { paid_by, period_end, paused, obstacle, charging } = offer;
  const pours = `${pourCount(glasses)} ${glasses === 1 ? 'is' : 'are'}`;
  const none = paid_by === 'card' ? 'The card is not charged again.' : 'Nothing more is due at the venue.';
  const charge =
    charging && when === 'period_end'
      ? `${withTax(charging.amount, charging)} is charged for the month that has begun, and nothing after that.`
      : none;
  if (when === 'period_end' && period_end) {
    const until = paused
      ? `The membership stays paused until ${dateOfInstant(period_end)}.`
      : paid_by === 'venue'
        ? `The membership goes on until ${dateOfInstant(period_end)}, with its pours.`
        : glasses > 0
          ? `${pours} left and can be poured until ${dateOfInstant(period_end)}.`
          : `The membership goes on until ${dateOfInstant(period_end)}. No pours are left.`;
    return `${until} ${lastChargeText(offer) || charge} You can still undo this until then.`;
  }
  return [
    glasses > 0
      ? `${glasses === 1 ? 'The remaining pour is' : `The ${glasses} remaining pours are`} lost right away.`
      : 'No more pours from now on.',
    charge,
    obstacle === 'overdue' && paid_by === 'card'
      ? 'The open invoice is void.'
      : 'Nothing is refunded. To refund a payment, do so separately.',
    'This cannot be undone.',
  ].join(' ');
}

const UNDER_WAY = 'Stripe has not answered yet. We retry every minute; there is nothing for you to do.';

function useKeepOffer(customerId: string): (offer: EndOffer) => void {
  const queries = useQueryClient();
  return (offer) => {
    const input = { customer_id: customerId };
    queries.setQueryData(orpc.membershipEnd.get.queryKey({ input }), offer);
    refreshMembers(queries);
  };
}
