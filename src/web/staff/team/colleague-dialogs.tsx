import { useQueryClient } from '@tanstack/react-query';
import type { TeamMember } from '../../../contract/staff/team.ts';
import { PasswordStep } from '../../account/password-step.tsx';
import { api, orpc } from '../../api/client.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';

interface ColleagueDialogProps {
  colleague: TeamMember;
  onClose: () => void;
}

/** The name as shown on the team page. */
export const colleagueName = ({ first_name, last_name }: TeamMember): string =>
  `${first_name} ${last_name}`.trim();

export function SignOutDialog({ colleague, onClose }: ColleagueDialogProps) {
  const name = colleagueName(colleague);
  return (
    <ActDialog
      title={`Sign out ${name} everywhere?`}
      description="They’ll be signed out on every device right away, and their API clients will be removed. They can sign in again with their password."
      confirmLabel="Sign Out"
      busyLabel="Signing out..."
      act={async () => {
        await api.team.signOut({ user_id: colleague.user_id });
        return `${name} is signed out everywhere`;
      }}
      failed="We couldn’t sign them out. Please try again."
      reload={orpc.team.list.key()}
      onClose={onClose}
    />
  );
}

export function RemoveDialog({ colleague, onClose }: ColleagueDialogProps) {
  const name = colleagueName(colleague);
  return (
    <ActDialog
      title={`Remove ${name} from the team?`}
      description="They’ll be signed out on every device right away. Their account becomes a member account, and their name stays on the pours they recorded. If they return, add them again."
      confirmLabel="Remove"
      busyLabel="Removing..."
      act={async () => {
        await api.team.remove({ user_id: colleague.user_id });
        return `${name} is no longer staff`;
      }}
      failed="We couldn’t remove them. Please try again."
      reload={orpc.team.list.key()}
      onClose={onClose}
    />
  );
}

export function RemovePinDialog({ colleague, onClose }: ColleagueDialogProps) {
  const name = colleagueName(colleague);
  return (
    <ActDialog
      title={`Reset the PIN of ${name}?`}
      description="It stops working on every shared tablet. They choose a new one in their own account, with their password."
      confirmLabel="Reset PIN"
      busyLabel="Resetting..."
      act={async () => {
        await api.barDevices.removePin({ user_id: colleague.user_id });
        return `${name} can choose a new PIN`;
      }}
      failed="We couldn’t reset the PIN. Please try again."
      reload={orpc.team.list.key()}
      onClose={onClose}
    />
  );
}

/** Requires the manager's own password, because this weakens an account. */
export function ResetTwoFactorDialog({ colleague, onClose }: ColleagueDialogProps) {
  const client = useQueryClient();
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
          await client.invalidateQueries({ queryKey: orpc.team.list.key() });
          onClose();
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
