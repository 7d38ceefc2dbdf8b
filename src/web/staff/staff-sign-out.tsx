import { useRouteContext } from '@tanstack/react-router';
import { SignOutButton } from '../account/sign-out-button.tsx';
import { isWaiting, waitingWords } from './offline-queue/queued-pour.ts';
import { useQueue } from './offline-queue/use-queue.ts';

/** Pours that wait are never sent as somebody else: they stay here until the same person signs in again. */
export function StaffSignOut() {
  const userId = useRouteContext({ from: '/_staff', select: (context) => context.user.id });
  const waiting = useQueue().pours.filter((pour) => pour.staff_id === userId && isWaiting(pour));
  return (
    <SignOutButton
      size="sm"
      question={
        waiting.length > 0
          ? {
              title: `${waitingWords(waiting)} for the network`,
              description:
                'They are not recorded yet. If you sign out now they stay on this device, and are sent when you sign in on it again.',
            }
          : undefined
      }
    />
  );
}
