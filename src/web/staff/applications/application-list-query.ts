import type { ApplicationStatus } from '../../../domain/application.ts';
import { APPLICATION_STATUSES } from '../../../domain/application.ts';
import { TIERS, tierLabel } from '../../../domain/tiers.ts';
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

// The tiers of the paper form first, then the others.
const PAPER_FORM_TIERS = ['select', 'reserve', 'connoisseur'];
export const TIER_OPTIONS: Option[] = [
  { value: 'all', label: 'All Tiers' },
  ...[...PAPER_FORM_TIERS, ...TIERS.filter((tier) => !PAPER_FORM_TIERS.includes(tier))].map((value) => ({
    value,
    label: tierLabel(value),
  })),
];
