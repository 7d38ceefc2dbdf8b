import { loadEnvFile } from './env-file.ts';
import { exitCodeOf, explain } from './explain.ts';
import type { Installation, Kind, StartOptions } from './installation.ts';
import { closeOnShutdown } from './shutdown.ts';

/** What a start needs, and where its code is. */
interface Prepared {
  web: Promise<void>;
  startsFrom: StartOptions['startsFrom'];
  load(): Promise<typeof import('./serve.ts')>;
}

interface RunOptions {
  kind?: Kind;
  lan: boolean;
  /** May throw ConfigurationError. */
  prepare(signal: AbortSignal): Prepared;
}

const DEMO_FOLDER = './demo-data';
/** A club's variables that the demo reads, too: none of its data, keys, mail server or other services. */
const OF_THE_DEMO = [
  ...['PORT', 'HOST', 'PUBLIC_URL', 'SANDBOX_PORT', 'SANDBOX_HOST', 'LAN_TRUST_PORT', 'LAN_SANDBOX_PORT'],
  ...['DEMO_SIZE', 'LOG_LEVEL', 'CLUB_NAME', 'CURRENCY', 'VENUE_TIME_ZONE'],
];

/** The environment for a kind of start; a club is in production unless NODE_ENV says otherwise. */
function environmentFor(kind: Kind | undefined): NodeJS.Dict<string> {
  // Libraries read it, too.
  if (kind === 'club') process.env.NODE_ENV ||= 'production';
  if (kind !== 'demo') return process.env;
  return {
    ...Object.fromEntries(OF_THE_DEMO.map((name) => [name, process.env[name]])),
    DATA_DIR: DEMO_FOLDER,
  };
}

/**
 * Starts the server and runs it until a signal stops it; ends the process with 1 if it cannot start, or with 3 if another
 * try would fail, too. Little is loaded here, so that the server's bundle pays off.
 */
export async function run({ kind, lan, prepare }: RunOptions): Promise<void> {
  const stopper = new AbortController();
  let installation: Installation | null = null;
  closeOnShutdown(async () => {
    stopper.abort();
    // A start can be interrupted at any point: the next one continues.
    await installation?.close();
  });
  let web = Promise.resolve();
  let env: NodeJS.Dict<string> = process.env;
  try {
    loadEnvFile();
    env = environmentFor(kind);
    const preparation = prepare(stopper.signal);
    web = preparation.web;
    // The server awaits this promise later; an earlier failure elsewhere must not leave it unhandled.
    web.catch(() => null);
    const { serve } = await preparation.load();
    installation = await serve(env, { kind, lan, webReady: web, startsFrom: preparation.startsFrom });
  } catch (error) {
    // A deliberately stopped start is not a failure.
    if (stopper.signal.aborted) return;
    console.error(`\n${explain(error, env)}\n`);
    stopper.abort();
    await web.catch(() => null);
    process.exit(exitCodeOf(error));
  }
}
