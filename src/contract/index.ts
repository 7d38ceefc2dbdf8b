import { applications } from './applications.ts';
import { functions } from './functions.ts';
import { members } from './members.ts';
import { pours } from './pours.ts';
import { tiers } from './tiers.ts';

/** Every call there is. Who may make it: src/server/api.ts. */
export const contract = { tiers, applications, members, pours, functions };
export type Contract = typeof contract;
