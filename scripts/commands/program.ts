import { parseArgs } from 'node:util';
import { assertKnownNames } from '../../src/server/config/variable-names.ts';
import { ownVersion } from '../../src/server/config/version.ts';
import { envFile, loadEnvFile } from '../serve/env-file.ts';
import { explain } from '../serve/explain.ts';
import { type Command, WrongArguments } from './command.ts';

interface Entry {
  about: string;
  load(): Promise<{ command: Command }>;
}

const stripe = async (name: 'check' | 'setup' | 'smoke') => ({
  command: (await import('./stripe.ts')).STRIPE[name],
});

const start = (subject: string, note: string): Command => ({
  usage: [
    ['', `starts ${subject}`],
    ['--lan', 'the same over HTTPS, for phones on this network'],
  ],
  note,
  flags: ['lan'],
  run: () => Promise.reject(new WrongArguments()),
});

const CLUB = start(
  'the server of a club',
  'Variables come from the environment and from .env in this folder; the data is in DATA_DIR, or in ./data of this folder.',
);
const DEMO = start(
  'the demo, with stand-ins for payments and emails',
  "Its data is in ./demo-data of this folder; a club's data, keys and mail server are never used.",
);

/** Each command is loaded only when called. */
const COMMANDS: Record<string, Entry> = {
  start: { about: 'starts the server of a club', load: async () => ({ command: CLUB }) },
  demo: { about: 'starts the demo', load: async () => ({ command: DEMO }) },
  doctor: { about: 'checks this computer', load: () => import('./doctor.ts') },
  staff: {
    about: 'adds staff accounts and helps people who are locked out',
    load: () => import('./staff.ts'),
  },
  tiers: { about: 'moves one member, or all of a tier, to a new price', load: () => import('./tiers.ts') },
  backup: { about: 'backs up the embedded database', load: () => import('./backup.ts') },
  restore: { about: 'restores such a backup', load: () => import('./restore.ts') },
  'move-to-postgres': {
    about: 'copies the embedded database to a Postgres server',
    load: () => import('./move-to-postgres.ts'),
  },
  'update-check': { about: 'says whether a newer release is there', load: () => import('./update-check.ts') },
  'leave-test-mode': {
    about: "takes a database out of Stripe's test mode, or out of the demo",
    load: () => import('./leave-test-mode.ts'),
  },
  'forget-secret': {
    about: 'gives a database whose AUTH_SECRET is lost to a new one',
    load: () => import('./forget-secret.ts'),
  },
  'stripe check': { about: 'checks the setup at Stripe line by line', load: () => stripe('check') },
  'stripe setup': { about: 'creates at Stripe what the server needs', load: () => stripe('setup') },
  'stripe smoke': { about: 'tries at Stripe what the product does there', load: () => stripe('smoke') },
  'stripe replay': {
    about: 'reconciles every customer of the stored events, and finds who pays without an account',
    load: () => import('./stripe-replay.ts'),
  },
  'sandbox clock': { about: "moves the demo's clock", load: () => import('./sandbox-clock.ts') },
};

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([usage]) => usage.length));
  return rows.map(([usage, text]) => `${usage.padEnd(width)}   ${text}`).join('\n       ');
}

/** The command as typed: through npm, or by the program's name. */
function typedAs(name: string, args: string): string {
  const script = process.env.npm_lifecycle_event;
  const command = script ? `npm run ${script}${args && ' --'}` : `cellar-door ${name}`;
  return `${command} ${args}`.trimEnd();
}

function usageOf(name: string, { usage, note }: Command): string {
  const rows = usage.map(([args, effect]) => [typedAs(name, args), effect] as const);
  return `Usage: ${table(rows)}${note ? `\n\n${note}` : ''}`;
}

const overview = () =>
  `Usage: ${table(
    Object.entries(COMMANDS).map(([name, { about }]) => [`cellar-door ${name}`, about] as const),
  )}\n\ncellar-door COMMAND --help says more about a command, cellar-door --version which version this is.`;

/** Returns the exit code: 0 done, 1 failed, 2 wrong arguments. `defaults`: values of variables that are not set. */
export async function runProgram(args: string[], defaults: NodeJS.Dict<string> = {}): Promise<number> {
  if (args.length === 1 && ['--version', '-v', 'version'].includes(args[0] ?? '')) {
    console.log(ownVersion());
    return 0;
  }
  const [name = '', entry] =
    Object.entries(COMMANDS).find(([name]) => name === args.slice(0, name.split(' ').length).join(' ')) ?? [];
  if (!entry) {
    const wantsHelp = args.length === 0 || args[0] === '--help' || args[0] === '-h';
    if (wantsHelp) console.log(overview());
    else console.error(`There is no command ${args.join(' ')}.\n\n${overview()}`);
    return wantsHelp && args.length > 0 ? 0 : 2;
  }
  const { command } = await entry.load();
  const wrong = (problem: string) => {
    console.error(`${problem && `${problem}\n\n`}${usageOf(name, command)}`);
    return 2;
  };
  try {
    const { values, positionals } = parseArgs({
      args: args.slice(name.split(' ').length),
      allowPositionals: true,
      options: Object.fromEntries(
        ['help', ...(command.flags ?? [])].map((flag) => [flag, { type: 'boolean' as const }]),
      ),
    });
    if (values.help) {
      console.log(usageOf(name, command));
      return 0;
    }
    loadEnvFile();
    assertKnownNames(Object.keys(envFile()), process.env.OIDC_PROVIDERS);
    for (const [name, value] of Object.entries(defaults)) process.env[name] ||= value;
    return await command.run(positionals, new Set(Object.keys(values)));
  } catch (error) {
    if (error instanceof WrongArguments) return wrong(error.message);
    const { code } = error as { code?: string };
    if (error instanceof TypeError && code?.startsWith('ERR_PARSE_ARGS')) return wrong(error.message);
    console.error(explain(error));
    return 1;
  }
}
