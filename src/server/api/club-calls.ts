import * as club from '../membership/club/club-settings.ts';
import { allow, os, verb } from './authorize.ts';

/** The calls about the club's settings, as a row of the router. */
export const clubCalls = {
  getSettings: os.club.getSettings.use(allow.manageStaff).handler(verb(club.getClubSettings)),
  updateSettings: os.club.updateSettings.use(allow.manageStaff).handler(verb(club.updateClubSettings)),
  listPlaces: os.club.listPlaces.use(allow.bar).handler(verb(club.listPlaces)),
};
