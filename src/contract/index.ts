import { applications } from './applications.ts';
import { billing } from './billing.ts';
import { changes } from './changes.ts';
import { functions } from './functions.ts';
import { identities } from './identities.ts';
import { machines } from './machines.ts';
import { members } from './members.ts';
import { passkeys } from './passkeys.ts';
import { pours } from './pours.ts';
import { privacy } from './privacy.ts';
import { profile } from './profile.ts';
import { sessions } from './sessions.ts';
import { tiers } from './tiers.ts';

/** Every call there is. Who may make it: src/server/api.ts. */
export const contract = {
  tiers,
  applications,
  members,
  profile,
  pours,
  changes,
  sessions,
  identities,
  machines,
  passkeys,
  billing,
  functions,
  privacy,
};
export type Contract = typeof contract;
