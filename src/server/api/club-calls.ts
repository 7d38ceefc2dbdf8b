import * as firstStart from '../auth/first-start.ts';
import * as logo from '../membership/club/club-logo.ts';
import * as club from '../membership/club/club-settings.ts';
import { listTodo } from '../membership/club/todo.ts';
import { allow, everyone, os, verb } from './authorize.ts';
import { billing } from './billing-verbs.ts';
import * as letters from './email-verbs.ts';

/** The calls about the club's settings, as a row of the router. */
export const clubCalls = {
  getSettings: os.club.getSettings.use(allow.manageStaff).handler(verb(club.getClubSettings)),
  updateSettings: os.club.updateSettings.use(allow.manageStaff).handler(verb(club.updateClubSettings)),
  saveLogo: os.club.saveLogo.use(allow.manageStaff).handler(verb(logo.saveClubLogo)),
  removeLogo: os.club.removeLogo.use(allow.manageStaff).handler(verb(logo.removeClubLogo)),
  listPlaces: os.club.listPlaces.use(allow.bar).handler(verb(club.listPlaces)),
};

/** Those about its words in emails. */
export const letterCalls = {
  list: os.letters.list.use(allow.manageStaff).handler(verb(letters.listEmails)),
  update: os.letters.update.use(allow.manageStaff).handler(verb(letters.updateEmail)),
  preview: os.letters.preview.use(allow.manageStaff).handler(verb(letters.previewEmail)),
  previewPage: os.letters.previewPage.use(allow.manageStaff).handler(verb(letters.previewEmailPage)),
};

/** The first start of a club, and its payments at Stripe, as a row of the router. */
export const setupCalls = {
  read: os.setup.read.use(everyone).handler(verb(firstStart.readSetup)),
  create: os.setup.create.use(everyone).handler(verb(firstStart.setUpClub)),
  checkPayments: os.setup.checkPayments.use(allow.manageMoney).handler(verb(billing.checkPayments)),
  planPayments: os.setup.planPayments.use(allow.moveMoney).handler(verb(billing.planPayments)),
  setUpPayments: os.setup.setUpPayments.use(allow.moveMoney).handler(verb(billing.setUpPayments)),
  listTodo: os.setup.listTodo.use(allow.manageStaff).handler(verb(listTodo)),
};
