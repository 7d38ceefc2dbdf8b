import { POUR_LOCATION_LABELS, POUR_LOCATIONS } from '../../../domain/pour.ts';

/** The places to pour at, for a <SelectField>. */
export const LOCATION_OPTIONS = POUR_LOCATIONS.map((value) => ({
  value,
  label: POUR_LOCATION_LABELS[value],
}));
