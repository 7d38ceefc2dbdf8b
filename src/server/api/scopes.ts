import type { ApiScope } from '../../domain/staff/api-scope.ts';
import type { CallName } from './call-limits.ts';

/**
 * The scope that an API client needs for a call, besides its user's role and permission. A call that is not
 * here is closed to API clients, no matter what its policy says. docs/rules/api.md, "API clients".
 */
export const CALL_SCOPES: Partial<Record<CallName, ApiScope>> = {
  'members.getOwn': 'own:read',
  'applications.getOwn': 'own:read',
  'profile.getTaste': 'own:read',
  'memberEvents.subscribe': 'own:read',
  'pours.list': 'own:read',
  'pours.listMonths': 'own:read',
  'pours.listRolledOver': 'own:read',
  'billing.listPayments': 'own:read',
  'billing.getPause': 'own:read',
  'ratings.getQuestion': 'own:read',
  'ratings.getPalate': 'own:read',
  'functions.getSubscriptionDetails': 'own:read',

  'applications.save': 'own:write',
  'functions.generateQrToken': 'own:write',
  'functions.verifySubscriptionStatus': 'own:write',

  'tiers.list': 'tiers:read',
  'tiers.listNames': 'tiers:read',
  'tiers.get': 'tiers:read',

  'wines.list': 'wines:read',
  'wines.listOpen': 'wines:read',
  'wines.listTonight': 'wines:read',

  // What happens at the bar. The list itself is written by people.
  'wines.openBottle': 'wines:write',
  'wines.putAway': 'wines:write',

  // Whose card it is, and what is left: what a till shows before it pours.
  'functions.verifyQrToken': 'cards:read',
  'functions.getAvailablePours': 'cards:read',
  'members.getBarCard': 'cards:read',

  'pours.listForCustomer': 'pours:read',
  'memberEvents.subscribeVenue': 'pours:read',

  'pours.record': 'pours:write',
  'pours.void': 'pours:write',

  'members.list': 'members:read',
  'members.search': 'members:read',
  'members.get': 'members:read',
  'directory.list': 'members:read',
  'directory.count': 'members:read',
  'memberRecord.listTimeline': 'members:read',
  'memberRecord.get': 'members:read',
  'memberRecord.listTags': 'members:read',
  'ratings.getForMember': 'members:read',
  'functions.generateProfileSummary': 'members:read',

  'applications.list': 'applications:read',
  'applications.search': 'applications:read',
  'applications.count': 'applications:read',
  'applications.countFound': 'applications:read',
  'applications.get': 'applications:read',

  'applications.approve': 'applications:write',
  'applications.reject': 'applications:write',

  'reports.members': 'reports:read',
  'reports.revenue': 'reports:read',
  'reports.payments': 'reports:read',
  'reports.pours': 'reports:read',
  'reports.unused': 'reports:read',
  'reports.absent': 'reports:read',
  'reports.export': 'reports:read',

  'staffNotices.list': 'venue:read',
  'tierSettings.list': 'venue:read',
  'club.listPlaces': 'venue:read',
  'system.get': 'venue:read',
  // Counts only, which every one of the staff sees.
  'reports.tonight': 'venue:read',

  'staffNotices.settle': 'venue:write',
  'staffNotices.reopen': 'venue:write',
};
