import * as apiClients from '../../auth/api-clients/api-clients.ts';
import * as emailChange from '../../auth/email-change.ts';
import {
  authorizeLink,
  listLinkedAccounts,
  unlinkAccount,
} from '../../auth/linked-accounts/linked-accounts.ts';
import * as passkeys from '../../auth/passkeys/passkeys.ts';
import * as sessions from '../../auth/sessions/sessions.ts';
import { agree, updateProfile } from '../../membership/profile.ts';
import { getTaste, updateTaste } from '../../membership/taste.ts';
import { deleteAccount, deleteMemberAccount } from '../../privacy/erasure.ts';
import { exportPersonalData } from '../../privacy/export.ts';
import * as pushDevices from '../../push/push-devices.ts';
import type { Calls } from '../call.ts';

export const accountCalls = {
  'profile.update': { policy: 'memberProfile', limit: 'write', verb: updateProfile },
  'profile.agree': { policy: 'ownConsent', limit: 'write', verb: agree },
  'profile.getTaste': { policy: 'member', limit: 'read', scope: 'own:read', verb: getTaste },
  'profile.updateTaste': { policy: 'memberProfile', limit: 'write', verb: updateTaste },

  'emailChange.get': { policy: 'ownAccount', limit: 'read', verb: emailChange.getEmailChange },
  'emailChange.create': { policy: 'credentials', limit: 'account', verb: emailChange.createEmailChange },
  'emailChange.delete': { policy: 'ownAccount', limit: 'write', verb: emailChange.deleteEmailChange },

  'sessions.list': { policy: 'account', limit: 'read', verb: sessions.listSessions },
  'sessions.delete': { policy: 'account', limit: 'write', verb: sessions.deleteSession },
  'sessions.deleteOthers': { policy: 'account', limit: 'account', verb: sessions.deleteOtherSessions },

  'linkedAccounts.list': { policy: 'credentials', limit: 'read', verb: listLinkedAccounts },
  'linkedAccounts.authorize': {
    policy: 'credentials',
    limit: 'account',
    browserOnly: true,
    verb: authorizeLink,
  },
  'linkedAccounts.unlink': { policy: 'credentials', limit: 'account', verb: unlinkAccount },

  'apiClients.list': { policy: 'ownAccount', limit: 'read', verb: apiClients.listApiClients },
  'apiClients.create': { policy: 'credentials', limit: 'account', verb: apiClients.createApiClient },
  'apiClients.delete': { policy: 'ownAccount', limit: 'write', verb: apiClients.deleteApiClient },

  'passkeys.list': { policy: 'account', limit: 'read', verb: passkeys.listPasskeys },
  'passkeys.rename': { policy: 'account', limit: 'write', verb: passkeys.renamePasskey },
  'passkeys.delete': { policy: 'accountPassword', limit: 'account', verb: passkeys.deletePasskey },

  'pushDevices.list': { policy: 'memberDevice', limit: 'read', verb: pushDevices.listPushDevices },
  'pushDevices.create': { policy: 'newMemberDevice', limit: 'write', verb: pushDevices.createPushDevice },
  'pushDevices.delete': { policy: 'memberDevice', limit: 'write', verb: pushDevices.deletePushDevice },

  'privacy.exportData': { policy: 'credentials', limit: 'account', verb: exportPersonalData },
  'privacy.deleteAccount': {
    policy: 'deleteAccount',
    limit: 'account',
    endsSession: true,
    verb: deleteAccount,
  },
  'privacy.deleteMemberAccount': { policy: 'manageMembers', limit: 'account', verb: deleteMemberAccount },
} satisfies Partial<Calls>;
