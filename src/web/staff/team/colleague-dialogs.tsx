import { useQueryClient } from '@tanstack/react-query';
import type { TeamMember } from '../../../contract/staff/team.ts';
import { PasswordStep } from '../../account/password-step.tsx';
import { serverMessage } from '../../api/api-error.ts';
import { api, orpc } from '../../api/client.ts';
import { AlertDialog } from '../../ui/alert-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';

interface ColleagueDialogProps {
  colleague: TeamMember;
  onClose: () => void;
}

/** The name as shown on the team page. */
export const colleagueName = ({ first_name, last_name }: TeamMember): string =>
  `${first_name} ${last_name}`.trim();

/** Reloads the team and closes the dialog. */
function useDone(onClose: () => void) {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: orpc.team.list.key() });
    onClose();
  };
}

/** Sends one act on the colleague, says what came of it, and closes. */
function useAct(onClose: () => void, act: () => Promise<unknown>, success: string, failure: string) {
  const done = useDone(onClose);
  const { busy, send } = useSend();
  const onConfirm = () =>
    send(
      async () => {
        await act();
        toast.success(success);
      },
      (error) => toast.error(serverMessage(error) ?? failure, { of: error }),
      done,
    );
  return { busy, onConfirm, onClose };
}

export function SignOutDialog({ colleague, onClose }: ColleagueDialogProps) {
  const name = colleagueName(colleague);
  const act = useAct(
    onClose,
    () => api.team.signOut({ user_id: colleague.user_id }),
    `${name} is signed out everywhere`,
    'We couldn’t sign them out. Please try again.',
  );
  return (
    <AlertDialog
      open
      title={`Sign out ${name} everywhere?`}
      description="They’ll be signed out on every device right away, and their API clients will be removed. They can sign in again with their password."
      confirmLabel="Sign Out"
      busyLabel="Signing out..."
      {...act}
    />
  );
}

export function RemoveDialog({ colleague, onClose }: ColleagueDialogProps) {
  const name = colleagueName(colleague);
  const act = useAct(
    onClose,
    () => api.team.remove({ user_id: colleague.user_id }),
    `${name} is no longer staff`,
    'We couldn’t remove them. Please try again.',
  );
  return (
    <AlertDialog
      open
      title={`Remove ${name} from the team?`}
      description="They’ll be signed out on every device right away. Their account becomes a member account, and their name stays on the pours they recorded. If they return, add them again."
      confirmLabel="Remove"
      busyLabel="Removing..."
      {...act}
    />
  );
}

export function RemovePinDialog({ colleague, onClose }: ColleagueDialogProps) {
  const name = colleagueName(colleague);
  const act = useAct(
    onClose,
    () => api.barDevices.removePin({ user_id: colleague.user_id }),
    `${name} can choose a new PIN`,
    'We couldn’t reset the PIN. Please try again.',
  );
  return (
    <AlertDialog
      open
      title={`Reset the PIN of ${name}?`}
      description="It stops working on every shared tablet. They choose a new one in their own account, with their password."
      confirmLabel="Reset PIN"
      busyLabel="Resetting..."
      {...act}
    />
  );
}

/** Requires the manager's own password, because this weakens an account. */
export function ResetTwoFactorDialog({ colleague, onClose }: ColleagueDialogProps) {
  const done = useDone(onClose);
  const name = colleagueName(colleague);
  return (
    <Dialog open title={`Reset two-step sign-in of ${name}?`} onClose={onClose}>
      <PasswordStep
        label="Reset"
        variant="danger"
        onCancel={onClose}
        onPassword={async (password) => {
          await api.team.resetTwoFactor({ user_id: colleague.user_id, password });
          toast.success(`${name} signs in with the password alone now`);
          await done();
        }}
      >
        <p>
          Do this only if they lost their phone and backup codes, and you are sure they are the one asking.
          They can then sign in with just their password, all their devices are signed out, and they get an
          email.
        </p>
        <p className="text-ink-muted text-sm">Enter your own password to continue.</p>
      </PasswordStep>
    </Dialog>
  );
}
