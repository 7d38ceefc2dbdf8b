import { CONTACT_PERMISSIONS } from '../../../domain/staff/staff-permission.ts';
import * as barSignUps from '../../auth/bar-sign-ups/bar-sign-up.ts';
import * as paymentLinks from '../../auth/bar-sign-ups/payment-link.ts';
import {
  getMemberAccount,
  resendAccessEmail,
  updateMemberAccount,
} from '../../auth/member-account/member-account.ts';
import { changeMemberEmail, withdrawMemberEmail } from '../../auth/member-account/member-email.ts';
import { hasPermission } from '../../auth/team/permissions.ts';
import { voidPayment } from '../../billing/acts/void-payment.ts';
import { recordTierUp } from '../../billing/checkout/tier-up-at-till.ts';
import { listMemberEmails, resendNotice } from '../../billing/notices/resend-notice.ts';
import * as adoptions from '../../imports/adoption/adoptions.ts';
import { exportMembers } from '../../imports/export-members.ts';
import { exportImportReport, listImportRows } from '../../imports/import-report.ts';
import * as memberImports from '../../imports/member-imports.ts';
import * as directory from '../../membership/directory/directory.ts';
import { countDirectory, exportDirectory } from '../../membership/directory/directory.ts';
import * as memberDues from '../../membership/dues/dues.ts';
import { listMembers, searchMembers } from '../../membership/member-search.ts';
import { getMember, getOwnMembership } from '../../membership/members.ts';
import * as photos from '../../membership/record/member-photo.ts';
import { getMemberRecord, updateAbout } from '../../membership/record/member-record.ts';
import * as notes from '../../membership/record/notes.ts';
import { addTag, listVenueTags, removeTag } from '../../membership/record/tags.ts';
import { exportTimeline, listTimeline } from '../../membership/record/timeline.ts';
import { getBarCard } from '../../pours/bar-card.ts';
import { exportAtRisk, listAtRisk } from '../../reports/at-risk/members-at-risk.ts';
import {
  getOwnPersonalEmails,
  sendPersonalEmail,
  turnPersonalEmailsOff,
  updateOwnPersonalEmails,
} from '../../reports/at-risk/personal-emails.ts';
import * as mailings from '../../reports/mailings/mailings.ts';
import { generateProfileSummary } from '../../summary/summary.ts';
import type { AuthorizedContext } from '../authorize.ts';
import type { Calls } from '../call.ts';

/** The list of members, without emails and phone numbers unless a permission shows them. */
async function listDirectory(ctx: AuthorizedContext, page: directory.DirectoryPage) {
  const result = await directory.listDirectory(ctx, page);
  if (await hasPermission(ctx, ctx.actor.user_id, CONTACT_PERMISSIONS)) return result;
  return { ...result, members: result.members.map((it) => ({ ...it, email: null, phone: null })) };
}

export const memberCalls = {
  'members.getOwn': { policy: 'member', limit: 'read', scope: 'own:read', verb: getOwnMembership },
  'members.list': { policy: 'bar', limit: 'read', scope: 'members:read', verb: listMembers },
  'members.search': { policy: 'bar', limit: 'search', scope: 'members:read', verb: searchMembers },
  'members.get': { policy: 'bar', limit: 'read', scope: 'members:read', verb: getMember },
  'members.getBarCard': { policy: 'bar', limit: 'bar', scope: 'cards:read', verb: getBarCard },

  'directory.list': { policy: 'staff', limit: 'search', scope: 'members:read', verb: listDirectory },
  'directory.count': { policy: 'staff', limit: 'search', scope: 'members:read', verb: countDirectory },
  'directory.export': { policy: 'exportLists', limit: 'account', verb: exportDirectory },

  'barSignUps.find': { policy: 'manageMembers', limit: 'write', verb: barSignUps.findPerson },
  'barSignUps.create': { policy: 'manageMembers', limit: 'account', verb: barSignUps.signUpAtBar },
  'barSignUps.get': { policy: 'manageMembers', limit: 'read', verb: barSignUps.getSignUp },
  'barSignUps.renewLink': {
    policy: 'manageMembers',
    limit: 'write',
    payments: 'on',
    verb: barSignUps.renewLink,
  },
  'barSignUps.readLink': { policy: 'everyone', limit: 'visitor', verb: paymentLinks.readPaymentLink },
  'barSignUps.pay': { policy: 'everyone', limit: 'stripe', verb: paymentLinks.payByLink },

  'memberRecord.listTimeline': { policy: 'staff', limit: 'read', scope: 'members:read', verb: listTimeline },
  'memberRecord.exportTimeline': { policy: 'exportLists', limit: 'account', verb: exportTimeline },
  'memberRecord.listTags': { policy: 'staff', limit: 'read', scope: 'members:read', verb: listVenueTags },
  'memberRecord.get': { policy: 'memberInPerson', limit: 'read', verb: getMemberRecord },
  'memberRecord.addNote': { policy: 'manageMembers', limit: 'write', verb: notes.addNote },
  'memberRecord.editNote': { policy: 'manageMembers', limit: 'write', verb: notes.editNote },
  'memberRecord.removeNote': { policy: 'manageMembers', limit: 'write', verb: notes.removeNote },
  'memberRecord.addTag': { policy: 'manageMembers', limit: 'write', verb: addTag },
  'memberRecord.removeTag': { policy: 'manageMembers', limit: 'write', verb: removeTag },
  'memberRecord.updateAbout': { policy: 'manageMembers', limit: 'write', verb: updateAbout },

  'memberAccount.get': { policy: 'manageMembers', limit: 'read', verb: getMemberAccount },
  'memberAccount.update': { policy: 'manageMembers', limit: 'write', verb: updateMemberAccount },
  'memberAccount.changeEmail': { policy: 'manageMembers', limit: 'account', verb: changeMemberEmail },
  'memberAccount.sendAccessEmail': { policy: 'manageMembers', limit: 'account', verb: resendAccessEmail },
  'memberAccount.withdrawEmail': { policy: 'manageMembers', limit: 'write', verb: withdrawMemberEmail },

  'memberDues.get': { policy: 'takeDues', limit: 'bar', verb: memberDues.getDues },
  'memberDues.record': { policy: 'takeDues', limit: 'write', verb: memberDues.recordDues },
  'memberDues.recordDifference': { policy: 'takeDues', limit: 'write', verb: recordTierUp },
  'memberDues.void': { policy: 'manageMoney', limit: 'write', verb: voidPayment },
  'memberDues.countFrom': { policy: 'manageMembers', limit: 'write', verb: memberDues.countDuesFrom },

  'memberEmails.list': { policy: 'manageMembers', limit: 'read', verb: listMemberEmails },
  'memberEmails.send': { policy: 'manageMembers', limit: 'account', verb: resendNotice },

  'photos.getOwn': { policy: 'memberProfile', limit: 'read', verb: photos.getOwnPhoto },
  'photos.saveOwn': { policy: 'ownPhoto', limit: 'account', verb: photos.saveOwnPhoto },
  'photos.removeOwn': { policy: 'memberProfile', limit: 'write', verb: photos.removeOwnPhoto },
  'photos.get': { policy: 'memberInPerson', limit: 'bar', verb: photos.getMemberPhoto },
  'photos.save': { policy: 'manageMembers', limit: 'account', verb: photos.saveMemberPhoto },
  'photos.remove': { policy: 'manageMembers', limit: 'write', verb: photos.removeMemberPhoto },

  'memberEvents.subscribe': {
    policy: 'subscription',
    limit: 'write',
    scope: 'own:read',
    verb: ({ live, actor }) => live.subscribe(actor.user_id),
  },
  'memberEvents.subscribeVenue': {
    policy: 'bar',
    limit: 'write',
    scope: 'pours:read',
    verb: ({ live, actor }) => live.subscribeVenue(actor.user_id),
  },

  'outreach.listAtRisk': { policy: 'seeAtRisk', limit: 'read', scope: 'reports:read', verb: listAtRisk },
  'outreach.export': { policy: 'seeAtRisk', limit: 'account', scope: 'reports:read', verb: exportAtRisk },
  'outreach.sendEmail': { policy: 'manageMembers', limit: 'write', verb: sendPersonalEmail },
  'mailings.list': { policy: 'manageMembers', limit: 'read', verb: mailings.listMailings },
  'mailings.audience': { policy: 'manageMembers', limit: 'search', verb: mailings.countAudience },
  'mailings.preview': { policy: 'manageMembers', limit: 'search', verb: mailings.previewMailing },
  'mailings.send': { policy: 'manageMembers', limit: 'write', verb: mailings.sendMailing },
  'mailings.stop': { policy: 'manageMembers', limit: 'write', verb: mailings.stopMailing },
  'outreach.getOwn': { policy: 'memberProfile', limit: 'read', verb: getOwnPersonalEmails },
  'outreach.updateOwn': { policy: 'memberProfile', limit: 'write', verb: updateOwnPersonalEmails },
  'outreach.unsubscribe': { policy: 'everyone', limit: 'visitor', verb: turnPersonalEmailsOff },

  'imports.list': { policy: 'manageMembers', limit: 'read', verb: memberImports.listImports },
  'imports.create': { policy: 'manageMembers', limit: 'write', verb: memberImports.createImport },
  'imports.addRows': { policy: 'manageMembers', limit: 'bar', verb: memberImports.addImportRows },
  'imports.check': { policy: 'manageMembers', limit: 'write', verb: memberImports.checkImport },
  'imports.listRows': { policy: 'manageMembers', limit: 'read', verb: listImportRows },
  'imports.start': { policy: 'manageMembers', limit: 'write', verb: memberImports.startImport },
  'imports.discard': { policy: 'manageMembers', limit: 'write', verb: memberImports.discardImport },
  'imports.undo': { policy: 'manageMembers', limit: 'write', verb: memberImports.undoImport },
  'imports.sendEmails': { policy: 'manageMembers', limit: 'write', verb: memberImports.sendImportEmails },
  'imports.report': { policy: 'manageMembers', limit: 'account', verb: exportImportReport },
  'imports.exportMembers': { policy: 'manageMembers', limit: 'account', verb: exportMembers },

  'adoptions.create': {
    policy: 'manageMoney',
    limit: 'account',
    payments: 'on',
    verb: adoptions.createAdoption,
  },
  'adoptions.check': { policy: 'manageMoney', limit: 'write', verb: adoptions.checkAdoption },
  'adoptions.start': { policy: 'manageMoney', limit: 'write', verb: adoptions.startAdoption },
  'adoptions.undo': { policy: 'manageMoney', limit: 'write', verb: adoptions.undoAdoption },

  'functions.generateProfileSummary': {
    policy: 'staff',
    limit: 'write',
    scope: 'members:read',
    verb: generateProfileSummary,
  },
} satisfies Partial<Calls>;
