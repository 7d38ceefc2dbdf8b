import * as club from '../membership/club/club-settings.ts';
import { allow, os, verb } from './authorize.ts';
import * as letters from './letters/letter-verbs.ts';

/** The calls about the club's settings, as a row of the router. */
export const clubCalls = {
  getSettings: os.club.getSettings.use(allow.manageStaff).handler(verb(club.getClubSettings)),
  updateSettings: os.club.updateSettings.use(allow.manageStaff).handler(verb(club.updateClubSettings)),
  listPlaces: os.club.listPlaces.use(allow.bar).handler(verb(club.listPlaces)),
};

/** Those about its words in emails. */
export const letterCalls = {
  list: os.letters.list.use(allow.manageStaff).handler(verb(letters.listLetters)),
  update: os.letters.update.use(allow.manageStaff).handler(verb(letters.updateLetter)),
  preview: os.letters.preview.use(allow.manageStaff).handler(verb(letters.previewLetter)),
  previewPage: os.letters.previewPage.use(allow.manageStaff).handler(verb(letters.previewLetterPage)),
};
