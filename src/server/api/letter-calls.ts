import { allow, os, verb } from './authorize.ts';
import * as letters from './letters/letter-verbs.ts';

/** The calls about the venue's words in emails, as a row of the router. */
export const letterCalls = {
  list: os.letters.list.use(allow.manageStaff).handler(verb(letters.listLetters)),
  update: os.letters.update.use(allow.manageStaff).handler(verb(letters.updateLetter)),
  preview: os.letters.preview.use(allow.manageStaff).handler(verb(letters.previewLetter)),
  previewPage: os.letters.previewPage.use(allow.manageStaff).handler(verb(letters.previewLetterPage)),
};
