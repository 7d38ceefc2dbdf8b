import type { VerifiedCustomer } from '../../../contract/functions.ts';
import type { queueStore } from '../offline-queue/queue-store.ts';
import { balanceAfterQueue } from '../offline-queue/queued-pour.ts';

export interface SeenMemberEntry extends VerifiedCustomer {
  /** The time of the server's last report of the balance, in milliseconds since 1970. */
  at: number;
}

/** Most recent first; `pours_balance` excludes pours queued on this device. */
export function seenMembers({ balances, pours }: ReturnType<typeof queueStore.get>): SeenMemberEntry[] {
  return Object.entries(balances)
    .flatMap(([id, { balance, at, member }]) =>
      member ? [{ id, ...member, pours_balance: balanceAfterQueue(balance, id, pours), at }] : [],
    )
    .sort((a, b) => b.at - a.at);
}

export function matching(members: SeenMemberEntry[], typed: string): SeenMemberEntry[] {
  const query = typed.trim().toLowerCase();
  return members.filter(({ first_name, last_name }) =>
    `${first_name} ${last_name}`.toLowerCase().includes(query),
  );
}
