import { useQueryClient } from '@tanstack/react-query';
import CirclePause from 'lucide-react/icons/circle-pause';
import { useState } from 'react';
import type { MemberDetail } from '../../../contract/members.ts';
import { PAUSE_MONTHS, type PauseMonths, type PauseObstacle } from '../../../domain/membership/pause.ts';
import { api, refusalOf, serverMessage } from '../../api/client.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { useDues } from '../dues/use-dues.ts';
import { refreshMembers } from '../refresh-members.ts';
import { dateOfInstant } from '../venue-dates.ts';

const OBSTACLES: Record<PauseObstacle, string> = {
  paused:
    'This membership is already paused. Only the member can come back early, because that charges their card.',
  payment_open: 'A payment of this member is still open. It comes first.',
  ending: 'This membership is canceled. It can be paused once the member has chosen to keep it.',
  change_pending: 'Another tier is about to start for this member.',
  approval_open: 'The member’s bank still has to approve a tier change.',
  renewing: 'This membership renews within the hour. Please try again after that.',
  too_soon: 'This member has used their months of pause in these twelve.',
  not_offered: 'A pause has at most three months. One made at Stripe is changed or ended there.',
};

const OPTIONS = PAUSE_MONTHS.map((months) => ({
  value: String(months),
  label: months === 1 ? '1 month' : `${months} months`,
}));

export function PauseControls({ member }: { member: MemberDetail }) {
  const { standing, pause, customer } = member;
  const [open, setOpen] = useState<'pause' | 'extend' | null>(null);
  const close = () => setOpen(null);
  const { data: dues } = useDues(member);
  const atVenue = dues !== undefined && dues.paid_until !== null;
  if (standing !== 'active' && standing !== 'paused' && !(standing === 'venue' && atVenue)) return null;
  return (
    <>
      {(standing !== 'paused' || atVenue) && (
        <Button
          variant="secondary"
          size="sm"
          className="self-start"
          icon={<CirclePause size={18} />}
          onClick={() => setOpen('pause')}
        >
          {!pause ? 'Pause Membership' : pause.begun ? 'End the Pause' : 'Take Back the Pause'}
        </Button>
      )}
      {pause?.until && (
        <Button variant="secondary" size="sm" className="self-start" onClick={() => setOpen('extend')}>
          Extend the Pause
        </Button>
      )}
      {open === 'pause' && (
        <PauseQuestion customerId={customer.id} pause={pause} atVenue={atVenue} onClose={close} />
      )}
      {open === 'extend' && pause?.until && (
        <ExtendQuestion customerId={customer.id} until={pause.until} onClose={close} />
      )}
    </>
  );
}

function refusalText(error: unknown): string {
  const refusal = refusalOf(error, 'PAUSE_REFUSED');
  return refusal
    ? OBSTACLES[refusal.data.reason]
    : (serverMessage(error) ?? 'Nothing was changed. Please try again.');
}

interface ExtendQuestionProps {
  customerId: string;
  until: string;
  onClose: () => void;
}

function ExtendQuestion({ customerId, until, onClose }: ExtendQuestionProps) {
  const queries = useQueryClient();
  const { busy, failure, send } = useSend();
  const extend = () =>
    send(async () => {
      await api.billing.extendPauseForMember({
        customer_id: customerId,
        until: Math.floor(Date.parse(until) / 1000),
      });
      toast.success('Pause extended');
      refreshMembers(queries);
      onClose();
    }, refusalText);
  return (
    <AlertDialog
      open
      tone="primary"
      title="Extend the Pause"
      description={`The pause ends on ${dateOfInstant(until)}. It gets one more month without charges and pours, up to three in all. The member gets an email.`}
      confirmLabel="Extend by a Month"
      busyLabel="One moment..."
      busy={busy}
      onConfirm={extend}
      onClose={onClose}
    >
      <FormError of={failure} />
    </AlertDialog>
  );
}

function questionOf(pause: MemberDetail['pause'], atVenue: boolean) {
  if (!pause) {
    return {
      title: 'Pause Membership',
      description: atVenue
        ? 'From the membership’s next month, there are no pours, and what is paid lasts as much longer. The member gets an email.'
        : 'From the end of the paid period, there are no charges and no pours. After the pause, the membership resumes automatically. The member gets an email.',
      confirmLabel: 'Pause',
    };
  }
  if (pause.begun) {
    return {
      title: 'End the Pause',
      description:
        'The running month counts again, with all its pours. If it is not paid yet, record the payment first. The member gets an email.',
      confirmLabel: 'End the Pause',
    };
  }
  const day = dateOfInstant(pause.from);
  return {
    title: 'Take Back the Pause',
    description: `The pause would begin on ${day}. ${atVenue ? 'Without it, what is paid ends earlier.' : 'Without it, the membership renews that day.'} The member gets an email.`,
    confirmLabel: 'Take Back',
  };
}

interface PauseQuestionProps {
  customerId: string;
  pause: MemberDetail['pause'];
  atVenue: boolean;
  onClose: () => void;
}

function PauseQuestion({ customerId, pause, atVenue, onClose }: PauseQuestionProps) {
  const queries = useQueryClient();
  const [months, setMonths] = useState<PauseMonths>(1);
  const { busy, failure, send } = useSend();
  const change = () =>
    send(async () => {
      if (pause) await api.billing.withdrawPause({ customer_id: customerId });
      else await api.billing.pauseForMember({ customer_id: customerId, months });
      toast.success(!pause ? 'Membership paused' : pause.begun ? 'Pause ended' : 'Pause taken back');
      refreshMembers(queries);
      onClose();
    }, refusalText);
  return (
    <AlertDialog
      open
      tone="primary"
      {...questionOf(pause, atVenue)}
      busyLabel="One moment..."
      busy={busy}
      onConfirm={change}
      onClose={onClose}
    >
      {!pause && (
        <SelectField
          label="For how long"
          options={OPTIONS}
          value={String(months)}
          onChange={(event) => setMonths(Number(event.target.value) as PauseMonths)}
        />
      )}
      <FormError of={failure} />
    </AlertDialog>
  );
}
