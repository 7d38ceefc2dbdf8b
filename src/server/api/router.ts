import { exportAudit, listAudit } from '../audit/audit-entries.ts';
import * as apiClients from '../auth/api-clients/api-clients.ts';
import * as barSignUps from '../auth/bar-sign-ups/bar-sign-up.ts';
import * as paymentLinks from '../auth/bar-sign-ups/payment-link.ts';
import * as emailChange from '../auth/email-change/email-change.ts';
import { authorizeLink, listLinkedAccounts, unlinkAccount } from '../auth/linked-accounts/linked-accounts.ts';
import * as passkeys from '../auth/passkeys/passkeys.ts';
import * as sessions from '../auth/sessions/sessions.ts';
import * as invitations from '../auth/team/invitations.ts';
import * as team from '../auth/team/team.ts';
import * as tierVerbs from '../billing/price-moves/tier-verbs.ts';
import { generateCardToken, verifyCardToken } from '../card/card-token.ts';
import { exportApplications } from '../membership/application-file.ts';
import { countApplications, listApplications } from '../membership/application-list.ts';
import * as reviews from '../membership/application-reviews.ts';
import { getOwnApplication, saveApplication } from '../membership/applications.ts';
import { listMembers, searchMembers } from '../membership/member-search.ts';
import { getMember, getOwnMembership } from '../membership/members.ts';
import { agree, updateProfile } from '../membership/profile.ts';
import * as staffNotices from '../membership/staff-notices.ts';
import { getTaste, updateTaste } from '../membership/taste.ts';
import { getTier, listTierNames, listTiers } from '../membership/tiers.ts';
import { getSystemStatus } from '../monitoring/system-status.ts';
import { getBarCard } from '../pours/bar-card.ts';
import { listCustomerPours, listOwnPours, listRolledOver } from '../pours/pour-lists.ts';
import * as pours from '../pours/pours.ts';
import { listVisitMonths } from '../pours/visits.ts';
import { deleteAccount } from '../privacy/erasure.ts';
import { exportPersonalData } from '../privacy/export.ts';
import * as pushDevices from '../push/push-devices.ts';
import { generateProfileSummary } from '../summary/summary.ts';
import { allow, browserOnly, clearEndedSession, everyone, os, verb } from './authorize.ts';
import { barDeviceCalls } from './bar-device-calls.ts';
import { billing } from './billing-verbs.ts';
import { cardCalls } from './card-calls.ts';
import { clubCalls, letterCalls, setupCalls } from './club-calls.ts';
import { adoptionRoutes, importRoutes } from './import-routes.ts';
import { memberCalls } from './member-calls.ts';
import { pictureCalls } from './pictures/picture-calls.ts';
import { reportCalls } from './report-calls.ts';
import { giftCalls, sharingCalls } from './sharing-calls.ts';
import { signInCalls } from './sign-in-calls.ts';
import { webhookCalls } from './webhook-calls.ts';
import { wineCalls } from './wine-calls.ts';

/** Every procedure, the policy that says who may call it, and its verb. There is no other way in. */
export const api = os.router({
  ...signInCalls,
  tiers: {
    list: os.tiers.list.use(allow.signedIn).handler(verb(listTiers)),
    listNames: os.tiers.listNames.use(allow.signedIn).handler(verb(listTierNames)),
    get: os.tiers.get.use(allow.signedIn).handler(verb(getTier)),
  },
  tierSettings: {
    list: os.tierSettings.list.use(allow.staff).handler(verb(tierVerbs.listTiersForStaff)),
    add: os.tierSettings.add.use(allow.manageMoney).handler(verb(tierVerbs.addTierByStaff)),
    update: os.tierSettings.update.use(allow.manageMoney).handler(verb(tierVerbs.updateTierByStaff)),
    offer: os.tierSettings.offer.use(allow.manageMoney).handler(verb(tierVerbs.offerTierByStaff)),
    order: os.tierSettings.order.use(allow.manageMoney).handler(verb(tierVerbs.orderTiersByStaff)),
    feature: os.tierSettings.feature.use(allow.manageMoney).handler(verb(tierVerbs.featureTierByStaff)),
    previewMove: os.tierSettings.previewMove.use(allow.manageMoney).handler(verb(tierVerbs.previewTierMove)),
    move: os.tierSettings.move.use(allow.manageMoney).handler(verb(tierVerbs.moveTierMembers)),
    withdrawMoves: os.tierSettings.withdrawMoves
      .use(allow.manageMoney)
      .handler(verb(tierVerbs.withdrawTierMoves)),
  },
  club: clubCalls,
  letters: letterCalls,
  setup: setupCalls,
  applications: {
    getOwn: os.applications.getOwn.use(allow.member).handler(verb(getOwnApplication)),
    save: os.applications.save.use(allow.member).handler(verb(saveApplication)),
    list: os.applications.list.use(allow.staff).handler(verb(listApplications)),
    search: os.applications.search.use(allow.staff).handler(verb(listApplications)),
    count: os.applications.count.use(allow.staff).handler(verb(countApplications)),
    countFound: os.applications.countFound.use(allow.staff).handler(verb(countApplications)),
    export: os.applications.export.use(allow.exportLists).handler(verb(exportApplications)),
    get: os.applications.get.use(allow.staff).handler(verb(reviews.getApplication)),
    approve: os.applications.approve.use(allow.staff).handler(verb(reviews.approveApplication)),
    reject: os.applications.reject.use(allow.staff).handler(verb(reviews.rejectApplication)),
  },
  members: {
    getOwn: os.members.getOwn.use(allow.member).handler(verb(getOwnMembership)),
    list: os.members.list.use(allow.bar).handler(verb(listMembers)),
    search: os.members.search.use(allow.bar).handler(verb(searchMembers)),
    get: os.members.get.use(allow.bar).handler(verb(getMember)),
    getBarCard: os.members.getBarCard.use(allow.bar).handler(verb(getBarCard)),
  },
  barSignUps: {
    find: os.barSignUps.find.use(allow.manageMembers).handler(verb(barSignUps.findPerson)),
    create: os.barSignUps.create.use(allow.manageMembers).handler(verb(barSignUps.signUpAtBar)),
    get: os.barSignUps.get.use(allow.manageMembers).handler(verb(barSignUps.getSignUp)),
    renewLink: os.barSignUps.renewLink.use(allow.manageMembers).handler(verb(barSignUps.renewLink)),
    readLink: os.barSignUps.readLink.use(everyone).handler(verb(paymentLinks.readPaymentLink)),
    pay: os.barSignUps.pay.use(everyone).handler(verb(paymentLinks.payByLink)),
  },
  ...memberCalls,
  ...pictureCalls,
  barDevices: barDeviceCalls,
  ...sharingCalls,
  profile: {
    update: os.profile.update.use(allow.memberProfile).handler(verb(updateProfile)),
    agree: os.profile.agree.use(allow.ownConsent).handler(verb(agree)),
    getTaste: os.profile.getTaste.use(allow.member).handler(verb(getTaste)),
    updateTaste: os.profile.updateTaste.use(allow.memberProfile).handler(verb(updateTaste)),
  },
  memberEvents: {
    subscribe: os.memberEvents.subscribe
      .use(allow.subscription)
      .handler(async ({ context }) => context.live.subscribe(context.actor.user_id)),
    subscribeVenue: os.memberEvents.subscribeVenue
      .use(allow.bar)
      .handler(async ({ context }) => context.live.subscribeVenue(context.actor.user_id)),
  },
  pours: {
    listMonths: os.pours.listMonths.use(allow.member).handler(verb(listVisitMonths)),
    list: os.pours.list.use(allow.member).handler(verb(listOwnPours)),
    listRolledOver: os.pours.listRolledOver.use(allow.member).handler(verb(listRolledOver)),
    listForCustomer: os.pours.listForCustomer.use(allow.bar).handler(verb(listCustomerPours)),
    record: os.pours.record.use(allow.pour).handler(verb(pours.recordPour)),
    void: os.pours.void.use(allow.bar).handler(verb(pours.voidPour)),
  },
  emailChange: {
    get: os.emailChange.get.use(allow.ownAccount).handler(verb(emailChange.getEmailChange)),
    create: os.emailChange.create.use(allow.credentials).handler(verb(emailChange.createEmailChange)),
    delete: os.emailChange.delete.use(allow.ownAccount).handler(verb(emailChange.deleteEmailChange)),
  },
  sessions: {
    list: os.sessions.list.use(allow.account).handler(verb(sessions.listSessions)),
    delete: os.sessions.delete.use(allow.account).handler(verb(sessions.deleteSession)),
    deleteOthers: os.sessions.deleteOthers.use(allow.account).handler(verb(sessions.deleteOtherSessions)),
  },
  linkedAccounts: {
    list: os.linkedAccounts.list.use(allow.credentials).handler(verb(listLinkedAccounts)),
    authorize: os.linkedAccounts.authorize
      .use(allow.credentials)
      .use(browserOnly)
      .handler(verb(authorizeLink)),
    unlink: os.linkedAccounts.unlink.use(allow.credentials).handler(verb(unlinkAccount)),
  },
  apiClients: {
    list: os.apiClients.list.use(allow.ownAccount).handler(verb(apiClients.listApiClients)),
    create: os.apiClients.create.use(allow.credentials).handler(verb(apiClients.createApiClient)),
    delete: os.apiClients.delete.use(allow.ownAccount).handler(verb(apiClients.deleteApiClient)),
  },
  passkeys: {
    list: os.passkeys.list.use(allow.account).handler(verb(passkeys.listPasskeys)),
    rename: os.passkeys.rename.use(allow.account).handler(verb(passkeys.renamePasskey)),
    delete: os.passkeys.delete.use(allow.accountPassword).handler(verb(passkeys.deletePasskey)),
  },
  pushDevices: {
    list: os.pushDevices.list.use(allow.memberDevice).handler(verb(pushDevices.listPushDevices)),
    create: os.pushDevices.create.use(allow.newMemberDevice).handler(verb(pushDevices.createPushDevice)),
    delete: os.pushDevices.delete.use(allow.memberDevice).handler(verb(pushDevices.deletePushDevice)),
  },
  billing: {
    previewTier: os.billing.previewTier.use(allow.payment).handler(verb(billing.previewTier)),
    changeTier: os.billing.changeTier.use(allow.payment).handler(verb(billing.changeTier)),
    cancelTierChange: os.billing.cancelTierChange.use(allow.payment).handler(verb(billing.cancelTierChange)),
    resumeSubscription: os.billing.resumeSubscription
      .use(allow.payment)
      .handler(verb(billing.resumeSubscription)),
    getPause: os.billing.getPause.use(allow.subscription).handler(verb(billing.getPause)),
    pause: os.billing.pause.use(allow.payment).handler(verb(billing.pause)),
    endPause: os.billing.endPause.use(allow.payment).handler(verb(billing.endPause)),
    pauseForMember: os.billing.pauseForMember.use(allow.manageMembers).handler(verb(billing.pauseForMember)),
    withdrawPause: os.billing.withdrawPause.use(allow.manageMembers).handler(verb(billing.withdrawPause)),
    updatePaymentMethod: os.billing.updatePaymentMethod
      .use(allow.payment)
      .handler(verb(billing.updatePaymentMethod)),
    openInvoice: os.billing.openInvoice.use(allow.payment).handler(verb(billing.openInvoice)),
    listPayments: os.billing.listPayments.use(allow.subscription).handler(verb(billing.listPayments)),
  },
  gifts: giftCalls,
  privacy: {
    exportData: os.privacy.exportData.use(allow.credentials).handler(verb(exportPersonalData)),
    deleteAccount: os.privacy.deleteAccount
      .use(clearEndedSession)
      .use(allow.deleteAccount)
      .handler(verb(deleteAccount)),
  },
  staffNotices: {
    list: os.staffNotices.list.use(allow.staff).handler(verb(staffNotices.listStaffNotices)),
    settle: os.staffNotices.settle.use(allow.staff).handler(verb(staffNotices.settleStaffNotice)),
    reopen: os.staffNotices.reopen.use(allow.staff).handler(verb(staffNotices.reopenStaffNotice)),
  },
  team: {
    list: os.team.list.use(allow.manageStaff).handler(verb(team.listTeam)),
    listInvitations: os.team.listInvitations
      .use(allow.manageStaff)
      .handler(verb(invitations.listInvitations)),
    invite: os.team.invite.use(allow.manageStaff).handler(verb(invitations.inviteToTeam)),
    withdrawInvitation: os.team.withdrawInvitation
      .use(allow.manageStaff)
      .handler(verb(invitations.withdrawInvitation)),
    readInvitation: os.team.readInvitation.use(everyone).handler(verb(invitations.readInvitation)),
    acceptInvitation: os.team.acceptInvitation.use(everyone).handler(verb(invitations.acceptInvitation)),
    setPermission: os.team.setPermission.use(allow.manageStaff).handler(verb(team.setPermission)),
    remove: os.team.remove.use(allow.manageStaff).handler(verb(team.removeFromTeam)),
    signOut: os.team.signOut.use(allow.manageStaff).handler(verb(team.signOutColleague)),
    resetTwoFactor: os.team.resetTwoFactor.use(allow.manageStaff).handler(verb(team.resetColleagueTwoFactor)),
  },
  audit: {
    list: os.audit.list.use(allow.manageStaff).handler(verb(listAudit)),
    export: os.audit.export.use(allow.manageStaff).handler(verb(exportAudit)),
  },
  imports: importRoutes,
  adoptions: adoptionRoutes,
  reports: reportCalls,
  webhooks: webhookCalls,
  system: {
    get: os.system.get.use(allow.staff).handler(verb(getSystemStatus)),
  },
  ...wineCalls,
  ...cardCalls,
  functions: {
    verifySubscriptionStatus: os.functions.verifySubscriptionStatus
      .use(allow.subscription)
      .handler(verb(billing.verifySubscriptionStatus)),
    getAvailablePours: os.functions.getAvailablePours
      .use(allow.signedIn)
      .handler(verb(pours.getAvailablePours)),
    generateQrToken: os.functions.generateQrToken.use(allow.member).handler(verb(generateCardToken)),
    getSubscriptionDetails: os.functions.getSubscriptionDetails
      .use(allow.subscription)
      .handler(verb(billing.getSubscriptionDetails)),
    cancelSubscription: os.functions.cancelSubscription
      .use(allow.payment)
      .handler(verb(billing.cancelSubscription)),
    createCheckout: os.functions.createCheckout.use(allow.payment).handler(verb(billing.createCheckout)),
    verifyQrToken: os.functions.verifyQrToken.use(allow.bar).handler(verb(verifyCardToken)),
    generateProfileSummary: os.functions.generateProfileSummary
      .use(allow.staff)
      .handler(verb(generateProfileSummary)),
  },
});
