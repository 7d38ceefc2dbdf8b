import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PauseOffer } from '../../../contract/billing.ts';
import type { DuesNow } from '../../../contract/members.ts';
import { api, orpc } from '../../api/client.ts';
import { dateOfDay, dateOfInstant, monthOfInstant } from '../../format/dates.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { ExtendDialog } from './extend-dialog.tsx';
import { usePause, usePauseCall } from './use-pause.ts';

// A pause of a membership that is billed at the venue: docs/rules/dues.md, "Pausing".

/** An upcoming pause at the venue, or a current one, with buttons to end and to extend it. Renders nothing without one. */
export function VenuePauseNotice({ dues: { pause, paid_until } }: { dues: DuesNow }) {
  const client = useQueryClient();
  const [dialog, setDialog] = useState<'back' | 'extend' | null>(null);
  const close = () => setDialog(null);
  const offer = useQuery(orpc.billing.getPause.queryOptions({ enabled: pause !== null }));
  const longer = offer.data?.pause?.extended_until ?? null;
  const { busy, failure, call } = usePauseCall({
    payment_open: 'Please pay for this month at the bar. Then you can come back.',
  });
  if (!pause?.until) return null;
  const end = () =>
    call(async () => {
      const answer = await api.billing.endPause({ amount: 0 });
      close();
      toast.success(pause.begun ? 'Welcome back' : 'Your membership is not paused');
      await client.invalidateQueries({ queryKey: orpc.members.key() });
      return answer;
    });
  const [from, until] = [dateOfInstant(pause.from), dateOfInstant(pause.until)];
  return (
    <Notice
      tone={pause.begun ? 'warning' : 'info'}
      title={pause.begun ? `Your membership is paused until ${until}` : `Paused from ${from} to ${until}`}
      action={
        <div className="flex flex-wrap gap-2">
          {pause.begun ? (
            <Button variant="secondary" size="sm" disabled={busy} onClick={() => setDialog('back')}>
              Come Back Now
            </Button>
          ) : (
            <Button variant="secondary" size="sm" busy={busy} busyLabel="One moment..." onClick={end}>
              Don’t Pause
            </Button>
          )}
          {longer !== null && (
            <Button variant="secondary" size="sm" disabled={busy} onClick={() => setDialog('extend')}>
              Pause One More Month
            </Button>
          )}
        </div>
      }
    >
      {pause.begun ? 'You have no pours until then.' : `You’ll keep your pours until ${from}.`}{' '}
      {`Your membership is paid until ${dateOfDay(paid_until)}.`}
      {dialog !== 'back' && <FormError of={failure} title="We couldn’t end your pause" />}
      {dialog === 'extend' && longer !== null && (
        <ExtendDialog until={Date.parse(pause.until) / 1000} longer={longer} atVenue onClose={close} />
      )}
      {dialog === 'back' && (
        <AlertDialog
          open
          tone="primary"
          title="Come Back Now"
          description="The running month counts again, with all of your pours, and ends on the day it always does. If it is not paid yet, pay for it at the bar first."
          confirmLabel="Come Back"
          busyLabel="One moment..."
          cancelLabel="Stay Paused"
          busy={busy}
          onConfirm={end}
          onClose={close}
        >
          <FormError of={failure} title="You are still paused" />
        </AlertDialog>
      )}
    </Notice>
  );
}

export type VenueMonth = PauseOffer['choices'][number];

/** The next month, if the member can skip it and pause for longer; otherwise null. */
export function useVenueMonth(enabled: boolean): VenueMonth | null {
  const offer = useQuery(orpc.billing.getPause.queryOptions({ enabled }));
  return (enabled && offer.data?.choices.find(({ months }) => months === 1)) || null;
}

export function SkipAtVenue({ month, onClose }: { month: VenueMonth; onClose: () => void }) {
  const name = monthOfInstant(month.from);
  const [from, until] = [dateOfInstant(month.from), dateOfInstant(month.until)];
  const { busy, failure, pause } = usePause(() => {
    onClose();
    toast.success(`${name} is skipped`, { description: `You have pours again from ${until}.` });
  });
  return (
    <AlertDialog
      open
      tone="primary"
      title={`Skip ${name}`}
      description={`You keep your pours until ${from}, and have none until ${until}. What you have paid lasts a month longer.`}
      confirmLabel={`Skip ${name}`}
      busyLabel="One moment..."
      cancelLabel="Not Now"
      busy={busy}
      onConfirm={() => pause(month)}
      onClose={onClose}
    >
      <FormError of={failure} title={`We couldn’t skip ${name}`} />
    </AlertDialog>
  );
}
