import type { Option } from './select-field.tsx';

/** Every time zone that the browser knows, and the chosen one, which the browser may not list. */
export function zoneOptions(chosen: string): Option[] {
  const zones = new Set(['UTC', chosen, ...Intl.supportedValuesOf('timeZone')]);
  return [...zones].sort().map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}
