import { Refusal } from '../../src/domain/refusal.ts';
import { type SignedOut, signOutEverywhere } from '../../src/server/auth/revoke-access.ts';
import {
  giveAllPermissions,
  type InvitedStaff,
  inviteStaff,
  removeStaff,
} from '../../src/server/auth/staff-accounts.ts';
import { resetTwoFactor } from '../../src/server/auth/two-factor/two-factor-reset.ts';
import type { Basics } from '../../src/server/compose.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { askServer } from './admin-request.ts';
import { directly } from './operator.ts';

const USAGE = `Usage: npm run staff -- add EMAIL      creates a staff account, or makes an existing account staff
       npm run staff -- allow EMAIL    gives a staff account every permission
       npm run staff -- remove EMAIL   removes the staff role
       npm run staff -- second-factor remove EMAIL
                                       turns two-step sign-in off, for members too
       npm run staff -- sign-out EMAIL ends all sessions and API access, for members too`;

const ACTIONS = ['add', 'allow', 'remove', 'second-factor remove', 'sign-out'] as const;
const words = process.argv.slice(2);
const email = words.pop() ?? '';
const action = ACTIONS.find((it) => it === words.join(' '));
if (!action || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) {
  console.error(USAGE);
  process.exit(2);
}
const env = readEnv(process.env);

const ask = (method: string, path: string, body?: object) => askServer(env.DATA_DIR, method, path, body);

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

if (action === 'add') {
  const answer = await ask('POST', '/staff', { email });
  const account = (answer ??
    (await directly(env, (services) => inviteStaff(services, email)))) as InvitedStaff;
  const next =
    `They choose their password here, once, within 24 hours:\n\n  ${account.link}\n\n` +
    'Later, Forgot password? on the sign-in page sends them a link.';
  const said = {
    made: `${account.email} is staff now.\n${next}`,
    taken_over: `${account.email} had an account with an email that was never confirmed, so someone else may have created it. Its password, passkeys and sessions were removed.\nIt is staff now. ${next}`,
    promoted: `${account.email} already had an account and is staff now, with the same password. They must sign in again.`,
  };
  console.log(said[account.outcome]);
} else if (action === 'allow') {
  const answer = (await ask('PUT', `/staff/${encodeURIComponent(email)}/permissions`)) as {
    allowed: boolean;
  } | null;
  const allowed = answer?.allowed ?? (await directly(env, (services) => giveAllPermissions(services, email)));
  console.log(allowed ? `${email} has every permission now.` : `There is no staff account ${email}.`);
  if (!allowed) process.exit(1);
} else if (action === 'second-factor remove') {
  const answer = (await ask('DELETE', `/second-factor/${encodeURIComponent(email)}`)) as {
    removed: boolean;
  } | null;
  const removed = answer?.removed ?? (await directly(env, (services) => resetTwoFactor(services, email)));
  console.log(
    removed
      ? `${email} signs in with the password alone now, and was signed out everywhere. We emailed them.`
      : `There is no account ${email} with two-step sign-in.`,
  );
  if (!removed) process.exit(1);
} else if (action === 'sign-out') {
  const answer = (await ask('DELETE', `/sessions/${encodeURIComponent(email)}`)) as {
    ended: SignedOut | null;
  } | null;
  const ended = answer ? answer.ended : await directly(env, (services) => signOutEverywhere(services, email));
  console.log(
    ended
      ? `${email} is signed out everywhere: ${counted(ended.sessions, 'session')} ended, ${counted(ended.api_clients, 'API client')} removed.`
      : `There is no account ${email}.`,
  );
  if (!ended) process.exit(1);
} else {
  const answer = (await ask('DELETE', `/staff/${encodeURIComponent(email)}`)) as
    | { removed: boolean }
    | { refused: string }
    | null;
  const outcome = answer ?? (await directly(env, removeHere));
  if ('refused' in outcome) {
    console.log(
      `Nobody but ${email} can manage staff. Give someone else every permission first:\n\n  npm run staff -- allow EMAIL`,
    );
    process.exit(1);
  }
  console.log(outcome.removed ? `${email} is no longer staff.` : `There is no staff account ${email}.`);
  if (!outcome.removed) process.exit(1);
}

async function removeHere(services: Basics): Promise<{ removed: boolean } | { refused: string }> {
  try {
    return { removed: await removeStaff(services, email) };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.code };
    throw error;
  }
}
