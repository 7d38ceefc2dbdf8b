import { apiClients } from './api-clients.ts';
import { applications } from './applications.ts';
import { auth } from './auth.ts';
import { billing } from './billing.ts';
import { functions } from './functions.ts';
import { linkedAccounts } from './linked-accounts.ts';
import { memberEvents } from './member-events.ts';
import { members } from './members.ts';
import { passkeys } from './passkeys.ts';
import { pours } from './pours.ts';
import { privacy } from './privacy.ts';
import { profile } from './profile.ts';
import { sessions } from './sessions.ts';
import { tiers } from './tiers.ts';

/** Every call of the API. src/server/api/router.ts says who may make each. */
export const contract = {
  auth,
  tiers,
  applications,
  members,
  profile,
  pours,
  memberEvents,
  sessions,
  linkedAccounts,
  apiClients,
  passkeys,
  billing,
  functions,
  privacy,
};
export type Contract = typeof contract;
