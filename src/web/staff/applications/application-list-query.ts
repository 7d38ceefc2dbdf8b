import type { TierName } from '../../../contract/tiers.ts';
import type { ApplicationStatus } from '../../../domain/application.ts';
import { APPLICATION_STATUSES } from '../../../domain/application.ts';
import type { Tone } from '../../ui/badge.tsx';
import type { Option } from '../../ui/select-field.tsx';

export type StatusFilter = 'all' | ApplicationStatus;

export const STATUS_LABELS: Record<ApplicationStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
};

export const STATUS_TONES: Record<ApplicationStatus, Tone> = {
  pending: 'warning',
  approved: 'positive',
  rejected: 'danger',
};

export const STATUS_OPTIONS: Option<StatusFilter>[] = [
  { value: 'all', label: 'All Statuses' },
  ...APPLICATION_STATUSES.map((value) => ({ value, label: STATUS_LABELS[value] })),
];

const PAPER_FORM_TIERS = ['select', 'reserve', 'connoisseur'];

/** The tiers of the paper form first, then the others in the venue's order. */
export function tierOptions(names: TierName[]): Option[] {
  const options = names.map(({ tier_name, display_name }) => ({ value: tier_name, label: display_name }));
  const onPaper = PAPER_FORM_TIERS.flatMap((tier) => options.filter(({ value }) => value === tier));
  const others = options.filter(({ value }) => !PAPER_FORM_TIERS.includes(value));
  return [{ value: 'all', label: 'All Tiers' }, ...onPaper, ...others];
}
