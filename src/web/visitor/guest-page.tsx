import { Link } from '@tanstack/react-router';
import type { ForGuest } from '../../contract/sharing/guest-glasses.ts';
import { serverMessage } from '../api/api-error.ts';
import { api } from '../api/client.ts';
import { site } from '../api/site.ts';
import { dateOfInstant } from '../format/dates.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { SkeletonLines } from '../ui/skeleton.tsx';
import { useSend } from '../ui/use-send.ts';
import { AuthLayout } from './auth-layout.tsx';
import { linkPage } from './links/link-page.tsx';
import { LinkUnread } from './links/link-unread.tsx';
import { useLink } from './links/use-link.ts';

const ENDED: Record<NonNullable<ForGuest['obstacle']>, string> = {
  used: 'This pour has been used. We hope you liked it.',
  withdrawn: 'This pour was taken back.',
  expired: 'This pour has expired.',
  unknown: 'This pour is no longer available.',
  age_not_stated: '',
};

/** The age, then the code to show at the bar. Requires no sign-in. */
function GuestPage({ token }: { token: string }) {
  const { state, setState, retry } = useLink<ForGuest>(token, (signal) =>
    api.guestGlasses.read({ token }, { signal }),
  );

  const isOpen = typeof state === 'object';
  return (
    <AuthLayout
      title="A Glass for You"
      heading={isOpen ? `A glass from ${state.giver_first_name}` : 'A glass for you'}
      lead={state === 'invalid' ? 'This link does not work' : site.club_name}
      footer={
        <Link to="/register" className="link">
          Become a member
        </Link>
      }
    >
      {state === 'reading' ? (
        <SkeletonLines lines={5} />
      ) : state === 'invalid' ? (
        <p>This link is incomplete or not valid. Ask the person who sent it for a new one.</p>
      ) : state === 'failed' ? (
        <LinkUnread onRetry={retry} />
      ) : state.code ? (
        <div className="flex flex-col lying:flex-row items-center gap-4 lying:gap-6">
          <QrCode
            text={state.code}
            size={260}
            title="QR code of your glass"
            className="lying:w-42 lying:shrink-0"
          />
          <p className="text-balance text-center lying:text-left">
            Show this code at the bar. It’s good for one glass, until {dateOfInstant(state.expires_at)}. Bring
            an ID.
          </p>
        </div>
      ) : state.obstacle === 'age_not_stated' ? (
        <StateAge token={token} age={state.minimum_age} onStated={setState} />
      ) : (
        <p>{ENDED[state.obstacle ?? 'unknown']}</p>
      )}
    </AuthLayout>
  );
}

export default linkPage(GuestPage);

interface StateAgeProps {
  token: string;
  age: number;
  onStated: (glass: ForGuest) => void;
}

function StateAge({ token, age, onStated }: StateAgeProps) {
  const { busy, failure, send } = useSend();
  const state = () =>
    send(
      async () => onStated(await api.guestGlasses.stateAge({ token, age })),
      (error) => serverMessage(error) ?? 'Something went wrong. Please try again.',
    );
  return (
    <div className="flex flex-col gap-5">
      <p>A glass is waiting for you. You must be {age} or older, and our staff may ask for an ID.</p>
      <FormError of={failure} />
      <Button size="lg" block busy={busy} busyLabel="One moment..." onClick={() => void state()}>
        I Am at Least {age}
      </Button>
    </div>
  );
}
