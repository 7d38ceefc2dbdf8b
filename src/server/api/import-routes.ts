import * as adoptions from '../imports/adoption/adoptions.ts';
import { exportMembers } from '../imports/export-members.ts';
import { exportImportReport, listImportRows } from '../imports/import-report.ts';
import * as memberImports from '../imports/member-imports.ts';
import { allow, os, verb } from './authorize.ts';

/** The part of router.ts about members from a file. */
export const importRoutes = {
  list: os.imports.list.use(allow.manageMembers).handler(verb(memberImports.listImports)),
  create: os.imports.create.use(allow.manageMembers).handler(verb(memberImports.createImport)),
  addRows: os.imports.addRows.use(allow.manageMembers).handler(verb(memberImports.addImportRows)),
  check: os.imports.check.use(allow.manageMembers).handler(verb(memberImports.checkImport)),
  listRows: os.imports.listRows.use(allow.manageMembers).handler(verb(listImportRows)),
  start: os.imports.start.use(allow.manageMembers).handler(verb(memberImports.startImport)),
  discard: os.imports.discard.use(allow.manageMembers).handler(verb(memberImports.discardImport)),
  undo: os.imports.undo.use(allow.manageMembers).handler(verb(memberImports.undoImport)),
  sendEmails: os.imports.sendEmails.use(allow.manageMembers).handler(verb(memberImports.sendImportEmails)),
  report: os.imports.report.use(allow.manageMembers).handler(verb(exportImportReport)),
  exportMembers: os.imports.exportMembers.use(allow.manageMembers).handler(verb(exportMembers)),
};

/** The part about subscriptions that Stripe bills already. */
export const adoptionRoutes = {
  create: os.adoptions.create.use(allow.manageMoney).handler(verb(adoptions.createAdoption)),
  check: os.adoptions.check.use(allow.manageMoney).handler(verb(adoptions.checkAdoption)),
  start: os.adoptions.start.use(allow.manageMoney).handler(verb(adoptions.startAdoption)),
  undo: os.adoptions.undo.use(allow.manageMoney).handler(verb(adoptions.undoAdoption)),
};
