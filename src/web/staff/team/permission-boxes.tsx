import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { TeamMember } from '../../../contract/staff/team.ts';
import { STAFF_PERMISSIONS, type StaffPermission } from '../../../domain/staff/staff-permission.ts';
import { serverMessage } from '../../api/api-error.ts';
import { api, orpc } from '../../api/client.ts';
import { toast } from '../../ui/toast.ts';
import { useSend } from '../../ui/use-send.ts';
import { PERMISSION_TEXT } from './permission-text.ts';

interface PermissionBoxesProps {
  colleague: TeamMember;
  /** Users cannot take `manage_staff` from themselves. */
  isSelf: boolean;
}

/** A colleague's permissions beyond the bar. Each box takes effect at once, and can be undone. */
export function PermissionBoxes({ colleague, isSelf }: PermissionBoxesProps) {
  const { user_id, first_name } = colleague;
  const client = useQueryClient();
  const queryKey = orpc.team.list.queryKey();
  const changing = useSend();
  // An undo may be pressed while another box is being changed.
  const undoing = useSend();
  const [last, setLast] = useState<{ permission: StaffPermission; given: boolean }>();
  const change = (permission: StaffPermission, given: boolean, { send } = changing) => {
    setLast({ permission, given });
    return send(
      async () => {
        const { permissions } = await api.team.setPermission({ user_id, permission, given });
        client.setQueryData(queryKey, (shown) =>
          shown?.map((each) => (each.user_id === user_id ? { ...each, permissions } : each)),
        );
        const { label } = PERMISSION_TEXT[permission];
        toast.success(given ? `${first_name} can: ${label}` : `${first_name} can no longer: ${label}`, {
          act: `${user_id} ${permission}`,
          action: { label: 'Undo', onClick: () => change(permission, !given, undoing) },
        });
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
  const shown = (permission: StaffPermission) =>
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
              checked={shown(permission)}
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
    </fieldset>
  );
}
