import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { BarSignUp } from '../../../contract/staff/bar-sign-ups.ts';
import { api, orpc, refusalOf } from '../../api/client.ts';
import { inTime } from '../../api/in-time.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { GuestListPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { QrCode } from '../../ui/qr-code.tsx';
import { Ring } from '../../ui/ring.tsx';
import { ApproveDialog } from '../applications/approve-dialog.tsx';
import { useVenueChanges } from '../tonight/use-venue-changes.ts';
import { useAct } from '../use-act.ts';
import { timeOfDay } from '../venue-dates.ts';
import { SignedUp } from './signed-up.tsx';

interface PaymentStepProps {
  applicationId: string;
  /** The link in the code; null after a reload, because the server does not store it. */
  url: string | null;
  onUrl: (url: string) => void;
  onAnother: () => void;
}

/** Milliseconds between polls, in addition to the stream, which may miss something. */
const LOOK_EVERY_MS = 10_000;

export function PaymentStep({ applicationId, url, onUrl, onAnother }: PaymentStepProps) {
  const client = useQueryClient();
  const input = { application_id: applicationId };
  const query = useQuery({
    ...orpc.barSignUps.get.queryOptions({ input }),
    queryFn: ({ signal }) => api.barSignUps.get(input, inTime(signal)),
    refetchInterval: ({ state }) =>
      state.data && ['member', 'rejected'].includes(state.data.state) ? false : LOOK_EVERY_MS,
  });
  const look = useCallback(
    () => void client.invalidateQueries({ queryKey: orpc.barSignUps.get.key() }),
    [client],
  );
  useVenueChanges(look);

  if (refusalOf(query.error, 'NOT_FOUND') && !query.data) {
    return (
      <Card>
        <EmptyState
          picture={<GuestListPicture />}
          title="There is no such sign-up"
          action={
            <Button variant="secondary" onClick={onAnother}>
              Add Member
            </Button>
          }
        />
      </Card>
    );
  }
  return (
    <Loaded query={query} failed="We couldn’t load the sign-up" card lines={6}>
      {(signUp) =>
        signUp.state === 'member' && signUp.customer_id ? (
          <SignedUp customerId={signUp.customer_id} name={signUp.first_name} onAnother={onAnother} />
        ) : (
          <Follow {...{ signUp, url, onUrl, onAnother }} onChange={look} />
        )
      }
    </Loaded>
  );
}

function stateText(
  { state, first_name, expires_at }: BarSignUp,
  hasCode: boolean,
): [title: string, text: string] {
  switch (state) {
    case 'waiting':
      return hasCode
        ? [
            `${first_name} scans this code`,
            `With the phone’s camera. It works once, until ${timeOfDay(new Date(expires_at))}.`,
          ]
        : ['The code is no longer shown', 'Show a new one: the old one stops working.'];
    case 'opened':
      return ['The code is open on a phone', `${first_name} reads the terms there, and goes on to payment.`];
    case 'paying':
      return [
        `${first_name} is paying`,
        'If the card is declined, they can use another on the same page. If they closed the page, show a new code. Nothing is charged twice.',
      ];
    case 'expired':
      return ['The code has expired', 'Nothing was charged. Show a new one.'];
    case 'left':
      return [
        'The payment was not finished',
        'Nothing was charged. Show a new code, or take the payment at the till.',
      ];
    case 'rejected':
      return ['The application has been rejected', 'Nothing was charged. To try again, start over.'];
    case 'member':
      return [`${first_name} is a member`, ''];
  }
}

/** On a phone in landscape the code is beside its words, so that both are in the window. */
const BESIDE_CODE = 'lying:grid lying:grid-cols-[auto_minmax(0,1fr)] lying:gap-x-6 lying:gap-y-2';

interface FollowProps {
  signUp: BarSignUp;
  url: string | null;
  onUrl: (url: string) => void;
  onAnother: () => void;
  onChange: () => void;
}

function Follow({ signUp, url, onUrl, onAnother, onChange }: FollowProps) {
  const { state, application_id, first_name, last_name, email } = signUp;
  const tierLabel = useTierLabel();
  const [approving, setApproving] = useState(false);
  const { busy, act } = useAct('We couldn’t create the code. Please try again.', orpc.barSignUps.get.key());
  const renew = () =>
    act(async () => onUrl((await api.barSignUps.renewLink({ application_id }, inTime())).url));
  const showsCode = url !== null && state === 'waiting';
  const [title, text] = stateText(signUp, url !== null);
  return (
    <Card raised className="lying:py-3!">
      <div className={classNames('flex flex-col items-center gap-4 text-center', showsCode && BESIDE_CODE)}>
        <p className="text-ink-muted">
          {first_name} {last_name} · {tierLabel(signUp.tier)}
          <span className="block wrap-anywhere text-sm">{email}</span>
        </p>
        {showsCode && (
          <QrCode
            text={url}
            size={280}
            title={`Code with which ${first_name} pays`}
            className="lying:col-start-1 lying:row-span-3 lying:row-start-1 lying:size-40 lying:self-start"
          />
        )}
        <div role="status" className="flex flex-col items-center gap-2">
          {(state === 'opened' || state === 'paying') && <Ring className="size-10 text-accent-text" />}
          <p className="text-balance font-title text-2xl">{title}</p>
          <p className="max-w-narrow text-ink-muted">{text}</p>
        </div>
        <div className="mt-2 flex flex-wrap justify-center gap-3">
          {state === 'rejected' ? (
            <LinkButton to="/staff/applications" size="lg">
              Open Applications
            </LinkButton>
          ) : (
            <>
              <Button
                size="lg"
                variant={showsCode || state === 'opened' || state === 'paying' ? 'secondary' : 'primary'}
                busy={busy}
                onClick={renew}
              >
                Show a New Code
              </Button>
              <Button size="lg" variant="secondary" onClick={() => setApproving(true)}>
                Paid at the Till
              </Button>
            </>
          )}
          <Button size="lg" variant="quiet" onClick={onAnother}>
            Add Another Member
          </Button>
        </div>
      </div>
      {approving && (
        <ApproveDialog
          application={{
            id: application_id,
            selected_tier: signUp.tier,
            notes: null,
            applicant: { first_name },
          }}
          onClose={() => {
            setApproving(false);
            onChange();
          }}
        />
      )}
    </Card>
  );
}
