import { useRouter } from '@tanstack/react-router';
import LogOut from 'lucide-react/icons/log-out';
import { useState } from 'react';
import { authErrorText } from '../api/api-error.ts';
import { lacksPassword } from '../api/joining.ts';
import { signOut } from '../api/sign-out.ts';
import { AlertDialog } from '../ui/alert-dialog.tsx';
import { Button } from '../ui/button.tsx';
import type { ButtonVariant } from '../ui/button-style.ts';
import { toast } from '../ui/toast.ts';
import { useSend } from '../ui/use-send.ts';

export interface SignOutButtonProps {
  variant?: ButtonVariant;
  size?: 'sm' | 'md';
  /** A question to ask first, if signing out has a cost. */
  question?: { title: string; description: string };
}

const NO_PASSWORD_YET = {
  title: 'Sign out without a password?',
  description:
    'You haven’t chosen one yet. To come back, you would need a link, which we email you from the sign-in page.',
};

export function SignOutButton({ variant = 'quiet', size = 'md', question: cost }: SignOutButtonProps) {
  const question = cost ?? (lacksPassword() ? NO_PASSWORD_YET : undefined);
  const router = useRouter();
  const { busy, send } = useSend();
  const [confirming, setConfirming] = useState(false);

  const leave = () =>
    send(
      async () => {
        await signOut();
        toast.success('Signed out successfully', { nextPage: true });
        await router.navigate({ to: '/login' });
      },
      (error) => {
        toast.error(authErrorText(error, 'Error signing out'), { of: error });
      },
    );
  return (
    <>
      <Button
        className="shrink-0 whitespace-nowrap"
        variant={variant}
        size={size}
        busy={busy}
        icon={<LogOut size={18} aria-hidden="true" />}
        onClick={question ? () => setConfirming(true) : leave}
      >
        Sign Out
      </Button>
      {question && (
        <AlertDialog
          {...question}
          open={confirming}
          confirmLabel="Sign Out"
          cancelLabel="Stay"
          busy={busy}
          onConfirm={leave}
          onClose={() => setConfirming(false)}
        />
      )}
    </>
  );
}
