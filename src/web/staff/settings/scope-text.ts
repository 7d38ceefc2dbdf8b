import type { ApiScope } from '../../../domain/staff/api-scope.ts';

/** The labels of an API client's scopes, in the form and the list. */
export const SCOPE_TEXT: Record<ApiScope, string> = {
  'own:read': 'Read its own membership',
  'own:write': 'Change its own application',
  'tiers:read': 'Read the tiers',
  'wines:read': 'Read the list of wines',
  'wines:write': 'Open and put away bottles',
  'cards:read': 'Check cards',
  'pours:read': 'Read pours',
  'pours:write': 'Record and void pours',
  'members:read': 'Read members',
  'applications:read': 'Read applications',
  'applications:write': 'Approve and reject applications',
  'reports:read': 'Read reports, if you can',
  'venue:read': 'Read notices, tonight’s figures and the system’s status',
  'venue:write': 'Settle notices',
};
