import { useQuery } from '@tanstack/react-query';
import type { TierName } from '../../contract/tiers.ts';
import { tierLabel } from '../../domain/tiers.ts';
import { orpc } from './client.ts';

const FRESH_MS = 5 * 60_000;

export function useTierNames(): TierName[] {
  const { data } = useQuery(orpc.tiers.listNames.queryOptions({ staleTime: FRESH_MS }));
  return data ?? [];
}

/** Returns a tier's display name. Until the tiers are loaded, and without a network, it is made from `tier`. */
export function useTierLabel(): (tier: string) => string {
  const names = useTierNames();
  return (tier) => names.find(({ tier_name }) => tier_name === tier)?.display_name ?? tierLabel(tier);
}
