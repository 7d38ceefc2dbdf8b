import { useQuery } from '@tanstack/react-query';
import { currentUser, forgetSession } from '../api/session.ts';

export const TWO_FACTOR_KEY = ['two-factor'];

/** Whether the server reports two-step sign-in as on; undefined until it has responded. */
export function useTwoFactor(): boolean | undefined {
  const { data } = useQuery({
    queryKey: TWO_FACTOR_KEY,
    queryFn: async () => {
      forgetSession();
      return (await currentUser())?.two_factor === true;
    },
  });
  return data;
}
