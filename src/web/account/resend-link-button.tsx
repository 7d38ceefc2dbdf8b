import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { AuthError, forgetSession, postAuth } from '../api/session.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.ts';
import { authErrorText } from '../visitor/auth-error-text.ts';

/** Sends the link that confirms the signed-in user's email again. */
export function ResendLinkButton({ email }: { email: string }) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      await postAuth('send-verification-email', { email });
      toast.success('The link is on its way', { description: `Check the inbox of ${email}.` });
    } catch (error) {
      if (error instanceof AuthError && error.code === 'EMAIL_ALREADY_VERIFIED') {
        // In another tab or on another device, since this page opened.
        forgetSession();
        toast.success('Your email is already confirmed');
        return await router.invalidate();
      }
      toast.error(authErrorText(error, 'The email could not be sent. Please try again.'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="secondary" size="sm" busy={busy} busyLabel="Sending..." onClick={send}>
      Send the Link Again
    </Button>
  );
}
