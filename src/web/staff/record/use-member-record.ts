import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import type { StaffPermission } from '../../../domain/staff/staff-permission.ts';
import { type api, orpc } from '../../api/client.ts';
import { may } from '../../api/session.ts';
import { failureToast } from '../../ui/toast.ts';
import { refreshMembers } from '../refresh-members.ts';

export function useMay(permission: StaffPermission): boolean {
  return useRouteContext({ from: '/_staff', select: ({ user }) => may(user, permission) });
}

export function useMayExport(): boolean {
  const manages = useMay('manage_members');
  return useMay('see_reports') || manages;
}

export const useManagesMembers = (): boolean => useMay('manage_members');

export interface RecordPart {
  customerId: string;
  record: Awaited<ReturnType<typeof api.memberRecord.get>>;
  /** Makes a change and reloads the record; false after a failure, which has been shown. */
  act: (failure: string, work: () => Promise<unknown>) => Promise<boolean>;
  manages: boolean;
}

export function useMemberRecord(customerId: string) {
  const queries = useQueryClient();
  const query = useQuery(orpc.memberRecord.get.queryOptions({ input: { customer_id: customerId } }));
  const act = async (failure: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work();
      return true;
    } catch (error) {
      failureToast(failure)(error);
      return false;
    } finally {
      refreshMembers(queries);
    }
  };
  return { query, act };
}
