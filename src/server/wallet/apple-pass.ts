import { Worker } from 'node:worker_threads';
import { isWordmark } from '../../domain/club/logo.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { AppleWalletConfig } from '../config/wallet-config.ts';
import type { Venue } from '../mail/email.ts';
import type { EncodedLogo } from '../pictures/encode-logo.ts';
import type { PassContent } from './pass-content.ts';

export const PKPASS_TYPE = 'application/vnd.apple.pkpass';

/** Where devices ask for updates; Apple adds /v1 and the rest. */
export const APPLE_WALLET_PATH = '/api/wallet/apple';

interface ApplePass {
  /** The serial number. */
  id: string;
  /** With which devices ask for the pass again. */
  token: string;
  content: PassContent;
}

/** What the thread that signs is given once. */
export interface ApplePassSetup {
  config: AppleWalletConfig;
}

/** What a pass says of the club: values, which can be handed to another thread. */
export type PassVenue = Pick<Venue, 'club_name' | 'support_email' | 'public_url' | 'accent'>;

/** The club's logo as it stands on a pass. */
interface PassLogo {
  /** PNG. */
  content: Uint8Array;
  /** The club's name is not written beside it. */
  wordmark: boolean;
}

/** A pass to sign, with what the club says of itself at that moment. */
export interface ApplePassJob extends ApplePass {
  job: number;
  venue: PassVenue;
  logo: PassLogo | null;
}

export interface ApplePassAnswer {
  job: number;
  /** Absent when it failed. */
  file?: Uint8Array;
  error?: string;
}

/** Signs a pass: a .pkpass file. Throws Refusal TOO_MANY_ATTEMPTS while too many wait. */
export type MakeApplePass = (pass: ApplePass) => Promise<Uint8Array>;

/** A pass is dark: what was made for light paper needs its plate there. */
function passLogo(logo: EncodedLogo | null): PassLogo | null {
  if (!logo) return null;
  const content = (logo.plate === 'light' && logo.plated) || logo.content;
  return { content, wordmark: isWordmark(logo) };
}

/** Some ten seconds of work. */
const MAX_WAITING = 100;
const WAIT_SECONDS = 30;

interface Waiting {
  resolve(file: Uint8Array): void;
  reject(error: Error): void;
}

/**
 * Signs passes one after another on a thread of its own, started with the first: the library signs in JavaScript, which
 * takes a tenth of a second, and the bar must not wait for that (docs/decisions/card-codes.md).
 */
export function applePassMaker(
  config: AppleWalletConfig,
  club: PassVenue,
  logoOfClub: () => EncodedLogo | null,
): MakeApplePass {
  const waiting = new Map<number, Waiting>();
  let jobs = 0;
  let thread: Worker | undefined;

  const start = () => {
    const workerData: ApplePassSetup = { config };
    const worker = new Worker(new URL('./apple-pass-worker.ts', import.meta.url), {
      workerData,
      execArgv: [],
    });
    worker.unref();
    worker.on('message', ({ job, file, error }: ApplePassAnswer) => {
      const asker = waiting.get(job);
      waiting.delete(job);
      if (file) asker?.resolve(file);
      else asker?.reject(new Error(error));
    });
    // What it was doing is lost; the next pass starts another.
    const end = (error: Error) => {
      if (thread === worker) thread = undefined;
      for (const asker of waiting.values()) asker.reject(error);
      waiting.clear();
    };
    worker.on('error', end);
    worker.on('exit', () => end(new Error('The thread that signs passes ended')));
    return worker;
  };

  return (pass) => {
    if (waiting.size >= MAX_WAITING) {
      return Promise.reject(new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: WAIT_SECONDS }));
    }
    thread ??= start();
    jobs += 1;
    const job = jobs;
    const { club_name, support_email, public_url, accent } = club;
    const venue: PassVenue = { club_name, support_email, public_url, accent };
    const logo = passLogo(logoOfClub());
    return new Promise((resolve, reject) => {
      thread?.postMessage({ ...pass, job, venue, logo } satisfies ApplePassJob);
      waiting.set(job, { resolve, reject });
    });
  };
}
