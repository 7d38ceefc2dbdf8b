import { CONTACT_PERMISSIONS } from '../../domain/staff/staff-permission.ts';
import * as memberAccount from '../auth/member-account/member-account.ts';
import * as memberEmail from '../auth/member-account/member-email.ts';
import { resendLetter } from '../auth/member-account/resend-letter.ts';
import { hasPermission } from '../auth/team/permissions.ts';
import { listMemberLetters, resendNotice } from '../billing/notices/resend-notice.ts';
import { listMemberPayments } from '../billing/refunds/member-payments.ts';
import * as directory from '../membership/directory/directory.ts';
import { exportDirectory } from '../membership/directory/directory-file.ts';
import { getMemberRecord, updateAbout } from '../membership/record/member-record.ts';
import * as notes from '../membership/record/notes.ts';
import * as tags from '../membership/record/tags.ts';
import { listTimeline } from '../membership/record/timeline.ts';
import { exportTimeline } from '../membership/record/timeline-file.ts';
import { giveGlasses } from '../pours/gifts.ts';
import { listAtRisk } from '../reports/at-risk/at-risk-list.ts';
import * as letters from '../reports/at-risk/letters.ts';
import { type AuthorizedContext, allow, os, verb } from './authorize.ts';
import { billing } from './billing-verbs.ts';

/** The list of members, without emails and phone numbers for staff whom no permission shows them. */
async function listDirectory(ctx: AuthorizedContext, page: directory.DirectoryPage) {
  const found = await directory.listDirectory(ctx, page);
  if (await hasPermission(ctx, ctx.actor.user_id, CONTACT_PERMISSIONS)) return found;
  return { ...found, members: found.members.map((it) => ({ ...it, email: null, phone: null })) };
}

/** What staff look up and do about members: the part of the router with the list and the record. */
export const memberCalls = {
  directory: {
    list: os.directory.list.use(allow.staff).handler(verb(listDirectory)),
    count: os.directory.count.use(allow.staff).handler(verb(directory.countDirectory)),
    export: os.directory.export.use(allow.exportLists).handler(verb(exportDirectory)),
  },
  glasses: {
    give: os.glasses.give.use(allow.manageMembers).handler(verb(giveGlasses)),
  },
  outreach: {
    listAtRisk: os.outreach.listAtRisk
      .use(allow.manageMembers)
      .handler(verb((ctx: AuthorizedContext) => listAtRisk(ctx))),
    sendLetter: os.outreach.sendLetter.use(allow.manageMembers).handler(verb(letters.sendLetter)),
    getOwn: os.outreach.getOwn.use(allow.memberProfile).handler(verb(letters.getOwnLetters)),
    updateOwn: os.outreach.updateOwn.use(allow.memberProfile).handler(verb(letters.updateOwnLetters)),
  },
  refunds: {
    listPayments: os.refunds.listPayments.use(allow.manageMoney).handler(verb(listMemberPayments)),
    create: os.refunds.create.use(allow.moveMoney).handler(verb(billing.giveRefund)),
  },
  membershipEnd: {
    get: os.membershipEnd.get.use(allow.manageMembers).handler(verb(billing.getEnd)),
    create: os.membershipEnd.create.use(allow.manageMembers).handler(verb(billing.end)),
    withdraw: os.membershipEnd.withdraw.use(allow.manageMembers).handler(verb(billing.keep)),
  },
  memberAccount: {
    get: os.memberAccount.get.use(allow.manageMembers).handler(verb(memberAccount.getMemberAccount)),
    update: os.memberAccount.update.use(allow.manageMembers).handler(verb(memberAccount.updateMemberAccount)),
    changeEmail: os.memberAccount.changeEmail
      .use(allow.manageMembers)
      .handler(verb(memberEmail.changeMemberEmail)),
    sendLetter: os.memberAccount.sendLetter.use(allow.manageMembers).handler(verb(resendLetter)),
    withdrawEmail: os.memberAccount.withdrawEmail
      .use(allow.manageMembers)
      .handler(verb(memberEmail.withdrawMemberEmail)),
  },
  memberLetters: {
    list: os.memberLetters.list.use(allow.manageMembers).handler(verb(listMemberLetters)),
    send: os.memberLetters.send.use(allow.manageMembers).handler(verb(resendNotice)),
  },
  memberRecord: {
    listTimeline: os.memberRecord.listTimeline.use(allow.staff).handler(verb(listTimeline)),
    exportTimeline: os.memberRecord.exportTimeline.use(allow.exportLists).handler(verb(exportTimeline)),
    listTags: os.memberRecord.listTags.use(allow.staff).handler(verb(tags.listVenueTags)),
    get: os.memberRecord.get.use(allow.bar).handler(verb(getMemberRecord)),
    addNote: os.memberRecord.addNote.use(allow.manageMembers).handler(verb(notes.addNote)),
    editNote: os.memberRecord.editNote.use(allow.manageMembers).handler(verb(notes.editNote)),
    removeNote: os.memberRecord.removeNote.use(allow.manageMembers).handler(verb(notes.removeNote)),
    addTag: os.memberRecord.addTag.use(allow.manageMembers).handler(verb(tags.addTag)),
    removeTag: os.memberRecord.removeTag.use(allow.manageMembers).handler(verb(tags.removeTag)),
    updateAbout: os.memberRecord.updateAbout.use(allow.manageMembers).handler(verb(updateAbout)),
  },
};
