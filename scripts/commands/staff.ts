import { signOutEverywhere } from '../../src/server/auth/revoke-access.ts';
import {
  giveAllPermissions,
  type InvitedStaff,
  inviteStaff,
  removeStaff,
} from '../../src/server/auth/staff-accounts.ts';
import { resetTwoFactor } from '../../src/server/auth/two-factor/two-factor-reset.ts';
import { type Env, readEnv } from '../../src/server/config/env.ts';
import { type Command, WrongArguments } from './command.ts';
import { askOrDo, Refused } from './operator.ts';

type Act = (env: Env, email: string, path: string) => Promise<[done: boolean, text: string]>;

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const ACTS: Record<string, Act> = {
  async add(env, email) {
    const call = { method: 'POST', path: '/staff', body: { email } } as const;
    const account = await askOrDo(env, call, (services) => inviteStaff(services, email));
    return [true, welcome(account)];
  },
  async allow(env, email, path) {
    const call = { method: 'PUT', path: `/staff/${path}/permissions` } as const;
    const { allowed } = await askOrDo(env, call, async (services) => ({
      allowed: await giveAllPermissions(services, email),
    }));
    return [allowed, allowed ? `${email} has every permission now.` : `There is no staff account ${email}.`];
  },
  async remove(env, email, path) {
    const call = { method: 'DELETE', path: `/staff/${path}` } as const;
    try {
      const { removed } = await askOrDo(env, call, async (services) => ({
        removed: await removeStaff(services, email),
      }));
      return [removed, removed ? `${email} is no longer staff.` : `There is no staff account ${email}.`];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return [
        false,
        `Nobody but ${email} can manage staff. Give someone else every permission first:\n\n  cellar-door staff allow EMAIL`,
      ];
    }
  },
  async 'second-factor remove'(env, email, path) {
    const call = { method: 'DELETE', path: `/second-factor/${path}` } as const;
    const { removed } = await askOrDo(env, call, async (services) => ({
      removed: await resetTwoFactor(services, email),
    }));
    return [
      removed,
      removed
        ? `${email} signs in with the password alone now, and was signed out everywhere. We emailed them.`
        : `There is no account ${email} with two-step sign-in.`,
    ];
  },
  async 'sign-out'(env, email, path) {
    const call = { method: 'DELETE', path: `/sessions/${path}` } as const;
    const { ended } = await askOrDo(env, call, async (services) => ({
      ended: await signOutEverywhere(services, email),
    }));
    if (!ended) return [false, `There is no account ${email}.`];
    const { sessions, api_clients } = ended;
    return [
      true,
      `${email} is signed out everywhere: ${counted(sessions, 'session')} ended, ${counted(api_clients, 'API client')} removed.`,
    ];
  },
};

function welcome({ email, outcome, link }: InvitedStaff): string {
  const next =
    `Send them this link to choose a password. It works once, for 24 hours:\n\n  ${link}\n\n` +
    'After that, Forgot password? on the sign-in page sends them a new one.';
  return {
    made: `${email} is staff now.\n${next}`,
    taken_over: `${email} had an account, which someone else may have created. Its password, passkeys and sessions were removed.\nIt is staff now. ${next}`,
    promoted: `${email} is staff already, with the same password.`,
  }[outcome];
}

export const command: Command = {
  usage: [
    ['add EMAIL', 'creates a staff account, or makes an existing account staff'],
    ['allow EMAIL', 'gives a staff account every permission'],
    ['remove EMAIL', 'removes the staff role'],
    ['second-factor remove EMAIL', 'turns two-step sign-in off; works for members, too'],
    ['sign-out EMAIL', 'ends all sessions and API access; works for members, too'],
  ],
  async run(words) {
    const [email = '', ...reverse] = words.toReversed();
    const name = reverse.toReversed().join(' ');
    const [, act] = Object.entries(ACTS).find(([action]) => action === name) ?? [];
    if (!act) throw new WrongArguments();
    if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) throw new WrongArguments(`${email} isn't a valid email.`);
    const [isDone, text] = await act(readEnv(process.env), email, encodeURIComponent(email));
    console.log(text);
    return isDone ? 0 : 1;
  },
};
