import type { CardContext } from '../card/card-context.ts';
import type { WalletConfig } from '../config/wallet-config.ts';
import type { Venue } from '../mail/email.ts';
import type { EncodedLogo } from '../pictures/encode-logo.ts';
import type { CallWatch } from '../platform/watch-call.ts';
import { applePassMaker, type MakeApplePass } from './apple-pass.ts';
import { applePusher, type PushToApple } from './apple-push.ts';
import { type GooglePasses, googlePasses } from './google-pass.ts';

export interface Wallets {
  apple: { passTypeId: string; make: MakeApplePass; push: PushToApple } | null;
  google: GooglePasses | null;
}

export interface WalletContext extends CardContext {
  venue: Venue;
  wallets: Wallets;
  walletKey: Uint8Array;
}

/** The context without a signed-in user: for devices, and for updates. */
export type WalletServices = Omit<WalletContext, 'actor'>;

interface WalletsContext {
  venue: Venue;
  club: { logo(): EncodedLogo | null };
  now(): Date;
  watch: CallWatch;
}

export function createWallets(
  { apple, google }: WalletConfig,
  { venue, club, now, watch }: WalletsContext,
): Wallets {
  return {
    apple: apple && {
      passTypeId: apple.passTypeId,
      make: applePassMaker(apple, venue, club.logo),
      push: applePusher(apple, watch),
    },
    google: google && googlePasses(google, { venue, now, watch }),
  };
}
