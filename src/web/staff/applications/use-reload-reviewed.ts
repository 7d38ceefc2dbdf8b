import { useQueryClient } from '@tanstack/react-query';
import { orpc } from '../../api/client.ts';

/** Loads applications and members again after a review, also after a refused one: other staff may have decided first. */
export function useReloadReviewed() {
  const client = useQueryClient();
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: orpc.applications.key() }),
      client.invalidateQueries({ queryKey: orpc.members.key() }),
    ]);
}
