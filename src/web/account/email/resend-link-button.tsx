import { useRouter } from '@tanstack/react-router';
import { refusalOf } from '../../api/api-error.ts';
import { auth } from '../../api/auth-client.ts';
import { forgetSession } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { authErrorText } from '../../visitor/auth-error-text.ts';

export function ResendLinkButton({ email }: { email: string }) {
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
