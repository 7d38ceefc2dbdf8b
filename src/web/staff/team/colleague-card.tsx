import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamMember } from '../../../contract/staff/team.ts';
import {
  isPowerful,
  STAFF_PERMISSIONS,
  type StaffPermission,
} from '../../../domain/staff/staff-permission.ts';
import { PasswordStep } from '../../account/password-step.tsx';
import { serverMessage } from '../../api/api-error.ts';
import { api, orpc } from '../../api/client.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { dateOfInstant } from '../venue-dates.ts';
import { PERMISSION_TEXT } from './permission-text.ts';

/** Users cannot sign out, reset or remove themselves here. */
export function ColleagueCard({ colleague, isSelf }: { colleague: TeamMember; isSelf: boolean }) {
  const [asking, setAsking] = useState<Question | 'two-step' | null>(null);
  const name = `${colleague.first_name} ${colleague.last_name}`.trim();
  const close = () => setAsking(null);
  const { email, two_factor, pin, last_seen_at } = colleague;
  const ask = (question: Question | 'two-step', text: string, label: string) => (
    <Button variant="secondary" size="sm" aria-label={label} onClick={() => setAsking(question)}>
      {text}
    </Button>
  );
  return (
    <li>
      <Card className="h-full" title={<span className="wrap-anywhere">{name}</span>}>
        <div className="-mt-2 mb-3 flex flex-wrap gap-2">
          {isSelf && <Badge tone="accent">You</Badge>}
          <Badge tone={two_factor ? 'positive' : 'warning'}>
            {two_factor ? 'Two-step sign-in on' : 'Two-step sign-in off'}
          </Badge>
          {pin !== 'none' && (
            <Badge tone={pin === 'set' ? 'neutral' : 'danger'}>
              {pin === 'set' ? 'Has a PIN' : 'PIN locked'}
            </Badge>
          )}
        </div>
        <p className="wrap-anywhere">{email}</p>
        <p className="text-ink-muted text-sm">
          {last_seen_at ? `Last seen ${dateOfInstant(last_seen_at)}` : 'Never signed in'}
        </p>
        <PermissionBoxes colleague={colleague} isSelf={isSelf} />
        {!isSelf && (
          <div className="mt-5 flex flex-wrap gap-3 border-line border-t pt-5">
            {ask('sign out', 'Sign Out Everywhere', `Sign out everywhere: ${name}`)}
            {two_factor && ask('two-step', 'Reset Two-Step', `Reset two-step sign-in of ${name}`)}
            {pin !== 'none' && ask('remove pin', 'Reset PIN', `Reset PIN of ${name}`)}
            {ask('remove', 'Remove', `Remove ${name} from the team`)}
          </div>
        )}
      </Card>
      {asking === 'two-step' && (
        <ResetTwoFactorDialog user_id={colleague.user_id} name={name} onClose={close} />
      )}
      {asking && asking !== 'two-step' && (
        <ActDialog
          {...questionsAbout(colleague.user_id, name)[asking]}
          reload={orpc.team.list.key()}
          onClose={close}
        />
      )}
    </li>
  );
}

type Question = keyof ReturnType<typeof questionsAbout>;

const questionsAbout = (user_id: string, name: string) => ({
  'sign out': {
    title: `Sign out ${name} everywhere?`,
    description:
      'They’ll be signed out on every device right away, and their API clients will be removed. They can sign in again with their password.',
    confirmLabel: 'Sign Out',
    busyLabel: 'Signing out...',
    act: async () => {
      await api.team.signOut({ user_id });
      return `${name} is signed out everywhere`;
    },
    failed: 'We couldn’t sign them out. Please try again.',
  },
  'remove pin': {
    title: `Reset the PIN of ${name}?`,
    description:
      'It stops working on every shared tablet. They choose a new one in their own account, with their password.',
    confirmLabel: 'Reset PIN',
    busyLabel: 'Resetting...',
    act: async () => {
      await api.barDevices.removePin({ user_id });
      return `${name} can choose a new PIN`;
    },
    failed: 'We couldn’t reset the PIN. Please try again.',
  },
  remove: {
    title: `Remove ${name} from the team?`,
    description:
      'They’ll be signed out on every device right away. Their account becomes a member account, and their name stays on the pours they recorded. If they return, add them again.',
    confirmLabel: 'Remove',
    busyLabel: 'Removing...',
    act: async () => {
      await api.team.remove({ user_id });
      return `${name} is no longer staff`;
    },
    failed: 'We couldn’t remove them. Please try again.',
  },
});

interface ResetTwoFactorDialogProps {
  user_id: string;
  name: string;
  onClose: () => void;
}

/** Requires the manager's own password, because this weakens an account. */
function ResetTwoFactorDialog({ user_id, name, onClose }: ResetTwoFactorDialogProps) {
  const client = useQueryClient();
  return (
    <Dialog title={`Reset two-step sign-in of ${name}?`} onClose={onClose}>
      <PasswordStep
        label="Reset"
        variant="danger"
        onCancel={onClose}
        onPassword={async (password) => {
          await api.team.resetTwoFactor({ user_id, password });
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

/** Users cannot take `manage_staff` from themselves. */
function PermissionBoxes({ colleague, isSelf }: { colleague: TeamMember; isSelf: boolean }) {
  const { user_id, first_name } = colleague;
  const client = useQueryClient();
  const queryKey = orpc.team.list.queryKey();
  const changing = useSend();
  // An undo may be pressed while another box is being changed.
  const undoing = useSend();
  const [last, setLast] = useState<{ permission: StaffPermission; given: boolean }>();
  const [granting, setGranting] = useState<StaffPermission | null>(null);
  const show = (permission: StaffPermission, permissions: StaffPermission[], given: boolean) => {
    client.setQueryData(queryKey, (team) =>
      team?.map((each) => (each.user_id === user_id ? { ...each, permissions } : each)),
    );
    const { label } = PERMISSION_TEXT[permission];
    toast.success(given ? `${first_name} can: ${label}` : `${first_name} can no longer: ${label}`, {
      act: `${user_id} ${permission}`,
      action: { label: 'Undo', onClick: () => change(permission, !given, undoing) },
    });
  };
  const change = (permission: StaffPermission, given: boolean, { send } = changing) => {
    if (given && isPowerful(permission)) return setGranting(permission);
    setLast({ permission, given });
    return send(
      async () => {
        const { permissions } = await api.team.setPermission({ user_id, permission, given });
        show(permission, permissions, given);
      },
      (error) => {
        toast.error(serverMessage(error) ?? 'We couldn’t change the permission. Please try again.', {
          of: error,
        });
        void client.invalidateQueries({ queryKey });
      },
    );
  };
  const busy = changing.busy || undoing.busy;
  const isOn = (permission: StaffPermission) =>
    busy && last?.permission === permission ? last.given : colleague.permissions.includes(permission);
  return (
    <fieldset className="@container mt-4 grid">
      <legend className="mb-1 font-semibold text-sm">Permissions</legend>
      {STAFF_PERMISSIONS.map((permission) => {
        const { label, opens } = PERMISSION_TEXT[permission];
        const isOwn = isSelf && permission === 'manage_staff';
        return (
          <label key={permission} className="target flex items-start gap-3 py-2">
            <input
              type="checkbox"
              className="mt-0.5 size-5 shrink-0 accent-accent"
              checked={isOn(permission)}
              disabled={busy || isOwn}
              onChange={(event) => change(permission, event.target.checked)}
            />
            <span className="min-w-0 flex-1 @md:grid @md:grid-cols-[12rem_1fr] @md:gap-x-3">
              <span className="block">{label}</span>
              <span className="block text-ink-muted text-sm">
                {isOwn ? 'Only someone else can take this back' : opens}
              </span>
            </span>
          </label>
        );
      })}
      {granting && (
        <GrantDialog
          colleague={colleague}
          permission={granting}
          onGranted={(permissions) => {
            setGranting(null);
            show(granting, permissions, true);
          }}
          onClose={() => setGranting(null)}
        />
      )}
    </fieldset>
  );
}

interface GrantDialogProps {
  colleague: TeamMember;
  permission: StaffPermission;
  onGranted: (permissions: StaffPermission[]) => void;
  onClose: () => void;
}

/** Names what the colleague can then do. Requires the manager's own password. */
function GrantDialog({ colleague, permission, onGranted, onClose }: GrantDialogProps) {
  const { user_id, first_name } = colleague;
  const { label, can } = PERMISSION_TEXT[permission];
  return (
    <Dialog title={`${label}: ${first_name}?`} onClose={onClose}>
      <PasswordStep
        label="Allow"
        onCancel={onClose}
        onPassword={async (password) => {
          const { permissions } = await api.team.setPermission({
            user_id,
            permission,
            given: true,
            password,
          });
          onGranted(permissions);
        }}
      >
        <p>
          {first_name} can then {can}.
        </p>
        <p className="text-ink-muted text-sm">Enter your own password to continue.</p>
      </PasswordStep>
    </Dialog>
  );
}
