import { exportAudit, listAudit } from '../../audit/audit-entries.ts';
import * as barDevices from '../../auth/bar-devices/bar-devices.ts';
import * as staffPin from '../../auth/bar-devices/staff-pin.ts';
import * as firstStart from '../../auth/first-start.ts';
import * as invitations from '../../auth/team/invitations.ts';
import * as team from '../../auth/team/team.ts';
import { checkStripe, planStripe } from '../../billing/setup/set-up-stripe.ts';
import { setUpByStaff } from '../../billing/smoke/set-up-by-staff.ts';
import * as pictures from '../../membership/club/club-pictures.ts';
import * as club from '../../membership/club/club-settings.ts';
import * as emails from '../../membership/club/email-wordings.ts';
import { listTodo } from '../../membership/club/todo.ts';
import { listStaffNotices, reopenStaffNotice, settleStaffNotice } from '../../membership/staff-notices.ts';
import { getSystemStatus } from '../../monitoring/system-status.ts';
import * as deliveries from '../../webhooks/delivery-log.ts';
import * as endpoints from '../../webhooks/endpoints.ts';
import type { Calls } from '../call.ts';

export const venueCalls = {
  'club.getSettings': { policy: 'manageStaff', limit: 'read', verb: club.getClubSettings },
  'club.updateSettings': { policy: 'manageStaff', limit: 'write', verb: club.updateClubSettings },
  'club.saveLogo': { policy: 'manageStaff', limit: 'account', verb: pictures.saveClubLogo },
  'club.removeLogo': { policy: 'manageStaff', limit: 'write', verb: pictures.removeClubLogo },
  'club.savePicture': { policy: 'manageStaff', limit: 'account', verb: pictures.saveClubPicture },
  'club.removePicture': { policy: 'manageStaff', limit: 'write', verb: pictures.removeClubPicture },
  'club.listPlaces': { policy: 'bar', limit: 'read', scope: 'pours:write', verb: club.listPlaces },

  'emails.list': { policy: 'manageStaff', limit: 'read', verb: emails.listEmails },
  'emails.update': { policy: 'manageStaff', limit: 'write', verb: emails.updateEmail },
  'emails.preview': { policy: 'manageStaff', limit: 'read', verb: emails.previewEmail },
  'emails.previewPage': { policy: 'manageStaff', limit: 'read', verb: emails.previewEmailPage },

  'setup.read': { policy: 'everyone', limit: 'visitor', verb: firstStart.readSetup },
  'setup.create': { policy: 'everyone', limit: 'visitor', verb: firstStart.setUpClub },
  'setup.checkPayments': {
    policy: 'manageMoney',
    limit: 'stripe',
    payments: 'on',
    verb: ({ billing }) => checkStripe(billing),
  },
  'setup.planPayments': {
    policy: 'moveMoney',
    limit: 'stripe',
    payments: 'on',
    verb: ({ billing }) => planStripe(billing),
  },
  'setup.setUpPayments': { policy: 'moveMoney', limit: 'stripe', payments: 'on', verb: setUpByStaff },
  'setup.listTodo': { policy: 'manageStaff', limit: 'read', verb: listTodo },

  'staffNotices.list': { policy: 'staff', limit: 'read', scope: 'venue:read', verb: listStaffNotices },
  'staffNotices.settle': { policy: 'staff', limit: 'write', scope: 'venue:write', verb: settleStaffNotice },
  'staffNotices.reopen': { policy: 'staff', limit: 'write', scope: 'venue:write', verb: reopenStaffNotice },

  'team.list': { policy: 'manageStaff', limit: 'read', verb: team.listTeam },
  'team.listInvitations': { policy: 'manageStaff', limit: 'read', verb: invitations.listInvitations },
  'team.invite': { policy: 'manageStaff', limit: 'account', verb: invitations.inviteToTeam },
  'team.withdrawInvitation': { policy: 'manageStaff', limit: 'write', verb: invitations.withdrawInvitation },
  'team.readInvitation': { policy: 'everyone', limit: 'visitor', verb: invitations.readInvitation },
  'team.acceptInvitation': { policy: 'everyone', limit: 'visitor', verb: invitations.acceptInvitation },
  'team.setPermission': { policy: 'manageStaff', limit: 'write', verb: team.setPermission },
  'team.remove': { policy: 'manageStaff', limit: 'write', verb: team.removeFromTeam },
  'team.signOut': { policy: 'manageStaff', limit: 'write', verb: team.signOutColleague },
  'team.resetTwoFactor': { policy: 'manageStaff', limit: 'account', verb: team.resetColleagueTwoFactor },

  'barDevices.list': { policy: 'manageStaff', limit: 'read', verb: barDevices.listDevices },
  'barDevices.open': {
    policy: 'manageStaff',
    limit: 'account',
    endsSession: true,
    verb: barDevices.openDevice,
  },
  'barDevices.end': { policy: 'manageStaff', limit: 'write', verb: barDevices.endDevice },
  'barDevices.getCurrent': { policy: 'everyone', limit: 'visitor', verb: barDevices.getCurrentDevice },
  'barDevices.switchIn': { policy: 'everyone', limit: 'visitor', verb: barDevices.switchIn },
  'barDevices.stay': { policy: 'everyone', limit: 'visitor', verb: barDevices.stay },
  'barDevices.switchOut': { policy: 'everyone', limit: 'visitor', verb: barDevices.switchOut },
  'barDevices.getPin': { policy: 'staffPin', limit: 'read', verb: staffPin.getPin },
  'barDevices.setPin': { policy: 'staffPin', limit: 'account', verb: staffPin.setPin },
  'barDevices.removePin': { policy: 'manageStaff', limit: 'write', verb: staffPin.removePin },

  'audit.list': { policy: 'manageStaff', limit: 'read', verb: listAudit },
  'audit.export': { policy: 'manageStaff', limit: 'account', verb: exportAudit },

  'webhooks.list': { policy: 'manageStaff', limit: 'read', verb: endpoints.listEndpoints },
  'webhooks.create': { policy: 'manageStaff', limit: 'account', verb: endpoints.createEndpoint },
  'webhooks.update': { policy: 'manageStaff', limit: 'account', verb: endpoints.updateEndpoint },
  'webhooks.delete': { policy: 'manageStaff', limit: 'write', verb: endpoints.deleteEndpoint },
  'webhooks.rotateSecret': { policy: 'manageStaff', limit: 'account', verb: endpoints.rotateSecret },
  'webhooks.sendTest': { policy: 'manageStaff', limit: 'account', verb: deliveries.sendTest },
  'webhooks.listDeliveries': { policy: 'manageStaff', limit: 'read', verb: deliveries.listDeliveries },
  'webhooks.replay': { policy: 'manageStaff', limit: 'write', verb: deliveries.replay },
  'webhooks.replaySince': { policy: 'manageStaff', limit: 'account', verb: deliveries.replaySince },

  'system.get': { policy: 'staff', limit: 'read', scope: 'venue:read', verb: getSystemStatus },
} satisfies Partial<Calls>;
