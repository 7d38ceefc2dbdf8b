import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { linkSecret } from '../../domain/membership/link-fragment.ts';
import { refusalOf, serverMessage } from '../api/api-error.ts';
import { api } from '../api/client.ts';
import { site } from '../api/site.ts';
import { Button } from '../ui/button.tsx';
import { FormError } from '../ui/form-error.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { useSend } from '../ui/use-send.ts';
import { AuthLayout } from './auth-layout.tsx';

export default function UnsubscribePage() {
  // The secret is after the # of the link in the email. Mail programs open the URL of its header, where the secret has to
  // be in the query.
  const token = useLocation({
    select: ({ hash, searchStr }) => linkSecret(hash || (new URLSearchParams(searchStr).get('token') ?? '')),
  });
  return <Unsubscribe key={token} token={token} />;
}

/** The page behind the link in personal emails. It changes nothing until the button is pressed. Requires no sign-in. */
function Unsubscribe({ token }: { token: string }) {
  const [isOff, setIsOff] = useState(false);
  return (
    <AuthLayout
      title="Personal Emails"
      heading={isOff ? 'Personal emails are off' : 'Turn off personal emails?'}
      lead={site.club_name}
    >
      {isOff ? (
        <div ref={(box) => box?.focus()} tabIndex={-1} className="flex flex-col gap-5 outline-none">
          <p>
            You won’t get any more of them. Emails about your membership and your account will still arrive.
          </p>
          <p>Changed your mind? Sign in to turn them on again.</p>
          <LinkButton to="/account/notifications" variant="secondary" size="lg" block>
            Open Notifications
          </LinkButton>
        </div>
      ) : (
        <TurnOff token={token} onOff={() => setIsOff(true)} />
      )}
    </AuthLayout>
  );
}

function TurnOff({ token, onOff }: { token: string; onOff: () => void }) {
  const { busy, failure, send } = useSend();
  const turnOff = () =>
    send(
      async () => {
        await api.outreach.unsubscribe({ token });
        onOff();
      },
      (error) =>
        refusalOf(error, 'LINK_INVALID')
          ? 'This link does not work. Sign in and turn them off under Notifications.'
          : (serverMessage(error) ?? 'We couldn’t save the change. Please try again.'),
    );
  return (
    <div className="flex flex-col gap-5">
      <p>
        These are reminders of unused pours, and emails that our staff write to you. Emails about your
        membership and your account will still arrive.
      </p>
      <FormError of={failure} />
      <Button size="lg" block busy={busy} busyLabel="Turning off..." onClick={() => void turnOff()}>
        Turn Off
      </Button>
    </div>
  );
}
