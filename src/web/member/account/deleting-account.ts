import { api } from '../../api/client.ts';

let deleting = false;

/** Whether this page is deleting the account; it then shows a message of its own. */
export const isDeletingAccount = (): boolean => deleting;

export async function deleteAccount(input: Parameters<typeof api.privacy.deleteAccount>[0]): Promise<void> {
  deleting = true;
  try {
    await api.privacy.deleteAccount(input);
  } finally {
    deleting = false;
  }
}
