import type { ApplicationStatus } from '../../../domain/application.ts';
import { APPLICATION_STATUSES } from '../../../domain/application.ts';
import { TIERS, tierLabel } from '../../../domain/tiers.ts';
import type { Tone } from '../../ui/badge.tsx';
import type { Option } from '../../ui/select-field.tsx';

export type StatusChoice = 'all' | ApplicationStatus;

export const statusLabels: Record<ApplicationStatus, string> = {
  pending: 'Pending',
  approved: 'Approved',
  rejected: 'Rejected',
};

export const statusTones: Record<ApplicationStatus, Tone> = {
  pending: 'warning',
  approved: 'positive',
  rejected: 'danger',
};

export const statusChoices: Option<StatusChoice>[] = [
  { value: 'all', label: 'All Statuses' },
  ...APPLICATION_STATUSES.map((value) => ({ value, label: statusLabels[value] })),
];

// The three of the application form on paper first, then what else there is.
const firstTiers = ['select', 'reserve', 'connoisseur'];
export const tierChoices: Option[] = [
  { value: 'all', label: 'All Tiers' },
  ...[...firstTiers, ...TIERS.filter((tier) => !firstTiers.includes(tier))].map((value) => ({
    value,
    label: tierLabel(value),
  })),
];
