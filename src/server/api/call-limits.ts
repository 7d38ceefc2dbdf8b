import type { Contract } from '../../contract/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { FloodLimit, Limit } from '../platform/flood-limit.ts';

/** 'pours.record' and the like: every call of the contract. */
export type CallName = {
  [Noun in keyof Contract & string]: `${Noun}.${keyof Contract[Noun] & string}`;
}[keyof Contract & string];

/**
 * How often one account may make a call, or one client IP where nobody needs to be signed in. They stop programs, not
 * people: a bar may share one staff account. What is guessed at has tighter limits of its own, in the database.
 * docs/rules.md, "Rate limits".
 */
export const CALL_LIMIT_KINDS = {
  /** Recording is never refused on a busy night: 50 glasses a second, queued ones included. */
  bar: { max: 3000, window: 60 },
  read: { max: 1200, window: 60 },
  /** Sent as it is typed, from every device at the bar. */
  search: { max: 600, window: 60 },
  write: { max: 120, window: 60 },
  /** Waits for Stripe. */
  stripe: { max: 30, window: 60 },
  /** Hashes a password, writes an email, or signs a pass. */
  account: { max: 30, window: 60 },
  /** Before sign-in; a venue shares one client IP. */
  visitor: { max: 600, window: 60 },
} as const satisfies Record<string, Limit>;

/** All calls of members and visitors together, from one client IP. */
export const CLIENT_IP_LIMIT: Limit = { max: 6000, window: 60 };

/** Every call has one; the type names a call that is missing. */
export const CALL_LIMITS: Record<CallName, keyof typeof CALL_LIMIT_KINDS> = {
  'auth.signUp': 'visitor',
  'auth.signIn': 'visitor',
  'auth.signInWithProvider': 'visitor',
  'auth.signInWithPasskeyOptions': 'visitor',
  'auth.signInWithPasskey': 'visitor',
  'auth.signOut': 'visitor',
  'auth.recover': 'visitor',
  'auth.resetPassword': 'visitor',
  'auth.changePassword': 'account',
  'auth.verifyEmail': 'visitor',
  'auth.resendVerification': 'visitor',
  'auth.confirmEmailChange': 'visitor',
  'auth.listFactors': 'visitor',
  'auth.createFactor': 'account',
  'auth.challengeFactor': 'visitor',
  'auth.verifyFactor': 'visitor',
  'auth.deleteFactor': 'account',
  'auth.createBackupCodes': 'account',
  'auth.verifyBackupCode': 'visitor',
  'auth.createPasskeyOptions': 'account',
  'auth.createPasskey': 'account',
  'auth.signingKeys': 'visitor',
  'auth.wellKnownSigningKeys': 'visitor',
  'tokens.create': 'visitor',
  'tokens.signUp': 'visitor',
  'tokens.getUser': 'visitor',
  'tokens.signOut': 'account',
  'tiers.list': 'read',
  'tiers.listNames': 'read',
  'tiers.get': 'read',
  'applications.getOwn': 'read',
  'applications.save': 'write',
  'applications.list': 'read',
  'applications.search': 'search',
  'applications.count': 'read',
  'applications.countFound': 'search',
  'applications.get': 'read',
  'applications.approve': 'write',
  'applications.reject': 'write',
  'members.getOwn': 'read',
  'members.list': 'read',
  'members.search': 'search',
  'members.get': 'read',
  'members.getBarCard': 'bar',
  'directory.list': 'search',
  'directory.count': 'search',
  'memberRecord.listTimeline': 'read',
  'memberRecord.get': 'read',
  'glasses.give': 'write',
  'refunds.listPayments': 'read',
  'refunds.create': 'stripe',
  'memberRecord.addNote': 'write',
  'memberRecord.editNote': 'write',
  'memberRecord.removeNote': 'write',
  'memberRecord.addTag': 'write',
  'memberRecord.removeTag': 'write',
  'memberRecord.updateAbout': 'write',
  'profile.update': 'write',
  'profile.getTaste': 'read',
  'profile.updateTaste': 'write',
  'memberEvents.subscribe': 'write',
  'memberEvents.subscribeVenue': 'write',
  'pours.listMonths': 'read',
  'pours.list': 'read',
  'pours.listForCustomer': 'read',
  'pours.record': 'bar',
  'pours.void': 'bar',
  'emailChange.get': 'read',
  'emailChange.create': 'account',
  'emailChange.delete': 'write',
  'sessions.list': 'read',
  'sessions.delete': 'write',
  'sessions.deleteOthers': 'account',
  'linkedAccounts.list': 'read',
  'linkedAccounts.authorize': 'account',
  'linkedAccounts.unlink': 'account',
  'apiClients.list': 'read',
  'apiClients.create': 'account',
  'apiClients.delete': 'write',
  'passkeys.list': 'read',
  'passkeys.rename': 'write',
  'passkeys.delete': 'account',
  'pushDevices.list': 'read',
  'pushDevices.create': 'write',
  'pushDevices.delete': 'write',
  'billing.previewTier': 'stripe',
  'billing.changeTier': 'stripe',
  'billing.cancelTierChange': 'stripe',
  'billing.resumeSubscription': 'stripe',
  'billing.updatePaymentMethod': 'stripe',
  'billing.openInvoice': 'stripe',
  'billing.listPayments': 'read',
  'paperCards.getOwn': 'read',
  'paperCards.issue': 'write',
  'paperCards.replace': 'write',
  'walletPasses.getApple': 'account',
  'walletPasses.linkGoogle': 'account',
  'functions.verifySubscriptionStatus': 'stripe',
  'functions.getAvailablePours': 'bar',
  'functions.generateQrToken': 'write',
  'functions.getSubscriptionDetails': 'stripe',
  'functions.cancelSubscription': 'stripe',
  'functions.createCheckout': 'stripe',
  'functions.verifyQrToken': 'bar',
  'functions.generateProfileSummary': 'write',
  'privacy.exportData': 'account',
  'privacy.deleteAccount': 'account',
  'staffNotices.list': 'read',
  'staffNotices.settle': 'write',
  'staffNotices.reopen': 'write',
  'tierSettings.list': 'read',
  'tierSettings.add': 'write',
  'tierSettings.update': 'write',
  'tierSettings.offer': 'write',
  'tierSettings.order': 'write',
  'tierSettings.feature': 'write',
  'tierSettings.previewMove': 'read',
  'tierSettings.move': 'account',
  'tierSettings.withdrawMoves': 'account',
  'club.getSettings': 'read',
  'club.updateSettings': 'write',
  'setup.read': 'visitor',
  'setup.create': 'visitor',
  'setup.checkPayments': 'stripe',
  'setup.listTodo': 'read',
  'team.list': 'read',
  'team.listInvitations': 'read',
  'team.invite': 'account',
  'team.withdrawInvitation': 'write',
  'team.readInvitation': 'visitor',
  'team.acceptInvitation': 'visitor',
  'team.setPermission': 'write',
  'team.remove': 'write',
  'team.signOut': 'write',
  'team.resetTwoFactor': 'account',
  'audit.list': 'read',
  'audit.export': 'account',
  'reports.members': 'read',
  'reports.revenue': 'read',
  'reports.pours': 'read',
  'reports.unused': 'read',
  'reports.absent': 'read',
  'reports.export': 'account',
  'reports.tonight': 'read',
  'system.get': 'read',
  'wines.list': 'read',
  'wines.listOpen': 'bar',
  'wines.listTonight': 'read',
  'wines.create': 'write',
  'wines.update': 'write',
  'wines.order': 'write',
  'wines.openBottle': 'write',
  'wines.putAway': 'write',
};

/**
 * Counts a call: of the account, or of the client IP of a visitor, and all calls of a client IP together. Staff are not
 * counted by client IP: guests on the venue's network must not keep a pour from being recorded.
 * Throws Refusal TOO_MANY_ATTEMPTS.
 */
export function countCall(
  flood: FloodLimit,
  path: readonly string[],
  actor: Actor | null,
  clientIp: string,
): void {
  if (actor?.role !== 'staff') flood.take(`any call|${clientIp}`, CLIENT_IP_LIMIT);
  const name = path.join('.') as CallName;
  flood.take(`${name}|${actor?.user_id ?? clientIp}`, CALL_LIMIT_KINDS[CALL_LIMITS[name]]);
}
