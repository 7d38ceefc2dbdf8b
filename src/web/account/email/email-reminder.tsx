import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { authErrorText, refusalOf } from '../../api/api-error.ts';
import { auth } from '../../api/auth-client.ts';
import { readLocal, writeLocal } from '../../api/local-storage.ts';
import { forgetSession, type SessionUser } from '../../api/session.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

const keyOf = (user: SessionUser) => `address-reminder-dismissed:${user.id}`;

function isUnconfirmed(user: SessionUser): boolean {
  return site.verify_email !== 'off' && user.email_verified === false;
}

/** Dismissing lasts on this device; with `eachVisit`, where the link must stay available, for this visit only. */
export function EmailReminder({ user, eachVisit = false }: { user: SessionUser; eachVisit?: boolean }) {
  const [dismissed, setDismissed] = useState(() => !eachVisit && readLocal(keyOf(user)) !== null);
  if (dismissed || !isUnconfirmed(user)) return null;

  const dismiss = () => {
    setDismissed(true);
    if (!eachVisit) writeLocal(keyOf(user), 1);
  };

  return (
    <Notice
      title="Confirm your email"
      action={
        <div className="flex flex-wrap gap-3">
          <ResendLinkButton email={user.email} />
          <Button variant="quiet" size="sm" onClick={dismiss}>
            Not Now
          </Button>
        </div>
      }
    >
      Use the link we sent to <span className="wrap-anywhere font-medium">{user.email}</span> so we can email
      you receipts and password resets.
    </Notice>
  );
}

function ResendLinkButton({ email }: { email: string }) {
  const router = useRouter();
  const { busy, send } = useSend();
  const resend = () =>
    send(
      async () => {
        await auth.resendVerification({ email });
        toast.success('The link is on its way', { description: `Check the inbox of ${email}.` });
      },
      (error) => {
        if (!refusalOf(error, 'EMAIL_ALREADY_VERIFIED')) {
          return toast.error(authErrorText(error, 'We couldn’t send the email. Please try again.'), {
            of: error,
          });
        }
        // Confirmed elsewhere after this page was opened.
        forgetSession();
        toast.success('Your email is already confirmed');
        return router.invalidate();
      },
    );
  return (
    <Button variant="secondary" size="sm" busy={busy} busyLabel="Sending..." onClick={resend}>
      Send the Link Again
    </Button>
  );
}
