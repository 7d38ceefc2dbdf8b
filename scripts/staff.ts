import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { type SignedOut, signOutEverywhere } from '../src/server/auth/revoke-access.ts';
import { addStaff, removeStaff, type StaffAccount } from '../src/server/auth/staff-accounts.ts';
import { resetTwoFactor } from '../src/server/auth/two-factor/reset.ts';
import { composeBasics } from '../src/server/compose.ts';
import { lockDataDir } from '../src/server/config/data-dir-lock.ts';
import { readEnv } from '../src/server/config/env.ts';
import { openEmbedded, openPostgres } from '../src/server/db/client.ts';
import { adminSocketPath } from '../src/server/http/admin-socket.ts';
import { randomSecret, settingsOf, systemOf } from '../src/server/main.ts';

const USAGE = `Usage: npm run staff -- add EMAIL      makes a staff account
       npm run staff -- remove EMAIL   takes the role away
       npm run staff -- second-factor remove EMAIL
                                       turns two-step sign-in off, for members too
       npm run staff -- sign-out EMAIL ends all sessions and API clients, for members too`;

const ACTIONS = ['add', 'remove', 'second-factor remove', 'sign-out'] as const;
const words = process.argv.slice(2);
const email = words.pop() ?? '';
const action = ACTIONS.find((it) => it === words.join(' '));
if (!action || !/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(email)) {
  console.error(USAGE);
  process.exit(2);
}
const env = readEnv(process.env);
// 6 bits a letter: 132, more than anybody guesses.
const password = randomSecret().slice(0, 22);

/** Asks the running server through its socket; null when none listens there. */
function ask(method: string, path: string, body?: object): Promise<unknown> {
  const socketPath = adminSocketPath(env.DATA_DIR);
  if (!existsSync(socketPath)) return Promise.resolve(null);
  return new Promise((resolve, reject) => {
    const call = request(
      { socketPath, method, path, headers: { 'content-type': 'application/json' } },
      (answer) => {
        let text = '';
        answer.on('data', (chunk) => (text += chunk));
        answer.on('end', () =>
          answer.statusCode === 200
            ? resolve(JSON.parse(text))
            : reject(new Error(text || 'The server refused.')),
        );
      },
    );
    // A socket that nobody listens on is what a killed server leaves behind.
    call.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? resolve(null) : reject(error),
    );
    call.end(body ? JSON.stringify(body) : undefined);
  });
}

type OperatorServices = Parameters<typeof resetTwoFactor>[0];

async function directly<T>(work: (services: OperatorServices) => Promise<T>): Promise<T> {
  // With a Postgres server several processes may work at once; the embedded database allows one.
  const lock = env.DATABASE_URL ? null : lockDataDir(env.DATA_DIR);
  const database = env.DATABASE_URL ? await openPostgres(env.DATABASE_URL) : await openEmbedded(env.DATA_DIR);
  try {
    // Writes email only; the server sends it when it runs.
    const settings = { ...settingsOf(env), smtpUrl: null };
    return await work(composeBasics(settings, systemOf({ LOG_LEVEL: 'silent' }), database.db));
  } finally {
    await database.close();
    lock?.release();
  }
}

if (action === 'add') {
  const answer = await ask('POST', '/staff', { email, password });
  const account = (answer ??
    (await directly((services) => addStaff(services, email, password)))) as StaffAccount;
  const once =
    `Password, shown this once: ${password}\n` +
    'It is for the first sign-in alone: choose another one then, with Forgot password? on the sign-in page.';
  const said = {
    made: `${account.email} is staff now.\n${once}`,
    taken_over: `${account.email} had an account whose address was never confirmed, so it may be anybody's: its ways in were taken away.\nIt is staff now. ${once}`,
    promoted: `${account.email} had an account already and is staff now, with the password they have. They must sign in again.`,
  };
  console.log(said[account.outcome]);
} else if (action === 'second-factor remove') {
  const answer = (await ask('DELETE', `/second-factor/${encodeURIComponent(email)}`)) as {
    removed: boolean;
  } | null;
  const removed = answer?.removed ?? (await directly((services) => resetTwoFactor(services, email)));
  console.log(
    removed
      ? `${email} signs in with the password alone now, and was signed out everywhere. A mail tells them.`
      : `There is no account ${email} with two-step sign-in.`,
  );
  if (!removed) process.exit(1);
} else if (action === 'sign-out') {
  const answer = (await ask('DELETE', `/sessions/${encodeURIComponent(email)}`)) as {
    ended: SignedOut | null;
  } | null;
  const ended = answer ? answer.ended : await directly((services) => signOutEverywhere(services, email));
  console.log(
    ended
      ? `${email} is signed out everywhere: sessions ended ${ended.sessions}, API clients removed ${ended.api_clients}.`
      : `There is no account ${email}.`,
  );
  if (!ended) process.exit(1);
} else {
  const answer = (await ask('DELETE', `/staff/${encodeURIComponent(email)}`)) as { removed: boolean } | null;
  const removed = answer?.removed ?? (await directly((services) => removeStaff(services, email)));
  console.log(removed ? `${email} is no longer staff.` : `There is no staff account ${email}.`);
  if (!removed) process.exit(1);
}
