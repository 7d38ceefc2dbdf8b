import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { PauseOffer } from '../../../contract/billing.ts';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { FormError } from '../../ui/form-error.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { obstacleText, usePause } from './use-pause.ts';

interface PauseDialogProps {
  /** The membership is billed at the venue, not by card. */
  atVenue?: boolean;
  onClose: () => void;
}

export function PauseDialog({ atVenue = false, onClose }: PauseDialogProps) {
  const [months, setMonths] = useState<number>(1);
  const offer = useQuery(orpc.billing.getPause.queryOptions({ staleTime: 0 }));
  const { busy, failure, pause } = usePause(({ from }) => {
    onClose();
    toast.success('Your pause is set', { description: `It begins on ${dateOfInstant(from)}.` });
  });
  const chosen = offer.data?.choices.find((it) => it.months === months);
  const close = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      title="Pause Your Membership"
      description="Take a break: no charge and no pours, and you stay a member."
      onClose={close}
      actions={
        <>
          <Button variant="secondary" onClick={close} disabled={busy}>
            Not Now
          </Button>
          <Button
            disabled={!chosen}
            busy={busy}
            busyLabel="Pausing..."
            onClick={() => chosen && pause(chosen)}
          >
            {chosen ? `Pause from ${dateOfInstant(chosen.from)}` : 'Pause'}
          </Button>
        </>
      }
    >
      <Loaded query={offer} failed="We couldn’t load the options" lines={3}>
        {(data) =>
          data.obstacle ? (
            <Notice tone="info" title="You can’t pause right now">
              {obstacleText(data)}
            </Notice>
          ) : (
            <Choices offer={data} atVenue={atVenue} chosen={months} onChoose={setMonths} />
          )
        }
      </Loaded>
      <FormError of={failure} title="We couldn’t pause your membership" />
    </Dialog>
  );
}

interface ChoicesProps {
  offer: Pick<PauseOffer, 'choices' | 'months_a_year'>;
  atVenue: boolean;
  chosen: number;
  onChoose: (months: number) => void;
}

function Choices({ offer: { choices, months_a_year }, atVenue, chosen, onChoose }: ChoicesProps) {
  const name = useId();
  const [first] = choices;
  return (
    <>
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">For how long</legend>
        {choices.map(({ months, until }) => (
          <Choice
            key={months}
            name={name}
            checked={chosen === months}
            onChoose={() => onChoose(months)}
            label={months === 1 ? '1 month' : `${months} months`}
            detail={`back on ${dateOfInstant(until)}`}
          />
        ))}
      </fieldset>
      {first && (
        <p className="text-ink-muted text-sm">
          You keep your pours until {dateOfInstant(first.from)}.{' '}
          {atVenue
            ? 'What you have paid lasts as much longer, and on the day you come back you get all of your pours.'
            : 'On the day you come back, your card is charged and you get all of your pours.'}{' '}
          You can come back earlier, and you can pause for{' '}
          {months_a_year === 1 ? 'one month' : `${months_a_year} months`} in any twelve.
        </p>
      )}
    </>
  );
}
