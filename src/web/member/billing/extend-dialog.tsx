import { api } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { toast } from '../../ui/toast.ts';
import { usePauseCall } from './use-pause.ts';

interface ExtendDialogProps {
  /** The end of the pause, and its end once it is extended, in seconds since 1970. */
  until: number;
  longer: number;
  /** The membership is billed at the venue, not by card. */
  atVenue?: boolean;
  onClose: () => void;
}

export function ExtendDialog({ until, longer, atVenue = false, onClose }: ExtendDialogProps) {
  const { busy, failure, call } = usePauseCall();
  const back = dateOfInstant(longer);
  const extend = () =>
    call(async () => {
      const answer = await api.billing.extendPause({ until });
      onClose();
      toast.success('Your pause is longer', { description: `You come back on ${back}.` });
      return answer;
    });
  return (
    <AlertDialog
      open
      tone="primary"
      title="Pause One More Month"
      description={`You come back on ${back} instead of ${dateOfInstant(until)}. ${atVenue ? 'What you have paid lasts a month longer' : 'Your card is not charged before that day'}, and you have no pours until then.`}
      confirmLabel={`Pause until ${back}`}
      busyLabel="One moment..."
      cancelLabel="Not Now"
      busy={busy}
      onConfirm={extend}
      onClose={onClose}
    >
      <FormError of={failure} title="We couldn’t extend your pause" />
    </AlertDialog>
  );
}
