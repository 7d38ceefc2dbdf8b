import type { ClubSettingsView } from '../../../src/contract/staff/club.ts';
import { CLUB_NUMBER_PRESETS, type ClubSettings } from '../../../src/domain/club/club-settings.ts';
import { DEFAULT_PLACES } from '../../../src/domain/club/places.ts';
import { PUBLIC_PAGE_PRESETS } from '../../../src/domain/club/public-pages.ts';

const defaults: ClubSettings = {
  ...CLUB_NUMBER_PRESETS,
  club_name: 'Cellar Door',
  support_email: 'hello@venue.test',
  time_zone: 'UTC',
  minimum_age: 21,
  terms_url: null,
  coordinates: null,
  places: DEFAULT_PLACES,
  annual_notice: false,
  accent: null,
  ...PUBLIC_PAGE_PRESETS,
};

/** The response of club.getSettings, with these settings changed. */
export const clubView = (
  values: Partial<ClubSettings> = {},
  more: Partial<ClubSettingsView> = {},
): ClubSettingsView => ({
  version: 3,
  values: { ...defaults, ...values },
  defaults,
  changed: Object.keys(values) as ClubSettingsView['changed'],
  logo: null,
  picture: null,
  now: { in_grace: 2, paused: 1, a_year: 40 },
  ...more,
});
