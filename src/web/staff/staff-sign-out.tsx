import { useRouteContext } from '@tanstack/react-router';
import { SignOutButton, type SignOutButtonProps } from '../account/sign-out-button.tsx';
import { isWaiting, waitingLabel } from './offline-queue/queued-pour.ts';
import { useQueue } from './offline-queue/use-queue.ts';

/** Asks before signing out with queued pours: they stay on this device until the same user signs in here again. */
export function StaffSignOut({ variant, size = 'sm' }: Pick<SignOutButtonProps, 'variant' | 'size'>) {
  const userId = useRouteContext({ from: '/_staff', select: (context) => context.user.id });
  const waiting = useQueue().pours.filter((pour) => pour.staff_id === userId && isWaiting(pour));
  return (
    <SignOutButton
      variant={variant}
      size={size}
      question={
        waiting.length > 0
          ? {
              title: `${waitingLabel(waiting)} to be sent`,
              description:
                'These pours are not recorded yet. If you sign out now, they will stay on this device and be sent the next time you sign in here.',
            }
          : undefined
      }
    />
  );
}
