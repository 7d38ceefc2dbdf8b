import { useQuery, useQueryClient } from '@tanstack/react-query';
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
import { dateOfInstant } from '../../format/dates.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { FieldPair } from '../../ui/field.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { UNDER_WAY, useKeepOffer } from './use-keep-offer.ts';

const OBSTACLES: Record<EndObstacle, string> = {
  no_membership: 'There is no membership to end: it has already ended.',
  ending: 'This membership already ends with its period. You can still end it now.',
  overdue: 'A payment is due, so there is no paid period: the membership can only end now.',
  by_member: 'The member canceled. Only they can keep the membership, in their account.',
  not_ending: 'This membership already continues.',
};

interface EndDialogProps {
  member: MemberDetail;
  onClose: () => void;
}

/** Asks for the time and the reason of an end, and explains it. The safe button has the focus. */
export function EndDialog({ member, onClose }: EndDialogProps) {
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
        const refused = refusalOf(error, 'END_REFUSED');
        return refused
          ? OBSTACLES[refused.data.reason]
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
        {(shown) =>
          shown.period_end ? (
            <>
              <FieldPair>
                <SelectField
                  label="When"
                  options={choices(shown)}
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
              <Notice title="What it means">{meaning(shown, when, member.available_pours)}</Notice>
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

function choices({ period_end, obstacle }: EndOffer) {
  const now = { value: 'now', label: 'Now' };
  if (obstacle || !period_end) return [now];
  return [{ value: 'period_end', label: `${dateOfInstant(period_end)} (month’s end)` }, now];
}

/** The effect on glasses and money, and the last day, explained beforehand. */
function meaning(
  { paid_by, period_end, paused, obstacle }: EndOffer,
  when: EndTime,
  glasses: number,
): string {
  const left = `${pourCount(glasses)} ${glasses === 1 ? 'is' : 'are'}`;
  const charge = paid_by === 'card' ? 'The card is not charged again.' : 'Nothing more is due at the venue.';
  if (when === 'period_end' && period_end) {
    const until = paused
      ? `The membership stays paused until ${dateOfInstant(period_end)}.`
      : glasses > 0
        ? `${left} left and can be poured until ${dateOfInstant(period_end)}.`
        : `The membership goes on until ${dateOfInstant(period_end)}. No pours are left.`;
    return `${until} ${charge} You can still undo this until then.`;
  }
  return [
    glasses > 0
      ? `${glasses === 1 ? 'The remaining pour is' : `The ${glasses} remaining pours are`} lost right away.`
      : 'No more pours from now on.',
    charge,
    obstacle === 'overdue'
      ? 'The open invoice is void.'
      : 'Nothing is refunded. To refund a payment, do so separately.',
    'This cannot be undone.',
  ].join(' ');
}
