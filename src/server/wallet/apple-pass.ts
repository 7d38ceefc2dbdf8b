import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SURROUNDINGS } from '../../domain/club/colors.ts';
import { isWordmark } from '../../domain/club/logo.ts';
import { pourCount } from '../../domain/pour.ts';
import type { AppleWalletConfig } from '../config/wallet-config.ts';
import type { Venue } from '../mail/email.ts';
import type { EncodedLogo } from '../pictures/encode-logo.ts';
import { createWorkQueue } from '../platform/work-queue.ts';
import type { PassContent } from './pass-content.ts';

export const PKPASS_TYPE = 'application/vnd.apple.pkpass';

/** The path for devices' requests; Apple appends /v1 and the rest. */
export const APPLE_WALLET_PATH = '/api/wallet/apple';

interface ApplePass {
  /** The serial number. */
  id: string;
  /** Authorizes devices to fetch the pass again. */
  token: string;
  content: PassContent;
}

type PassVenue = Pick<Venue, 'club_name' | 'support_email' | 'public_url' | 'accent'>;

/** Signs a pass: a .pkpass file. Throws Refusal TOO_MANY_ATTEMPTS while too many wait. */
export type MakeApplePass = (pass: ApplePass) => Promise<Uint8Array>;

/** About ten seconds of work. */
const MAX_WAITING = 100;
const WAIT_SECONDS = 30;

const IMAGES = ['icon.png', 'icon@2x.png', 'icon@3x.png', 'logo.png', 'logo@2x.png', 'logo@3x.png'];

/**
 * Signs passes one after another, yielding to other requests in between: the library signs in JavaScript, which takes a
 * tenth of a second (docs/decisions/card-codes.md).
 */
export function applePassMaker(
  config: AppleWalletConfig,
  club: PassVenue,
  logoOfClub: () => EncodedLogo | null,
): MakeApplePass {
  const images = Object.fromEntries(
    IMAGES.map((name) => [name, readFileSync(fileURLToPath(new URL(`./images/${name}`, import.meta.url)))]),
  );
  const inTurn = createWorkQueue(1, MAX_WAITING, WAIT_SECONDS);
  return (pass) =>
    inTurn(async () => {
      await setImmediate();
      return sign(config, pass, club, images, logoOfClub());
    });
}

type Images = Record<string, Buffer>;

/** The pictures of a pass, which is dark: a logo made for light paper needs its plate. */
function imagesWith(images: Images, logo: EncodedLogo | null): Images {
  if (!logo) return images;
  const content = Buffer.from((logo.plate === 'light' && logo.plated) || logo.content);
  // Wallet scales down a logo that is too large.
  return { ...images, 'logo.png': content, 'logo@2x.png': content, 'logo@3x.png': content };
}

const rgb = (color: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(', ')})`;

/** The colors of the member's page: wine red, parchment, brass; or the club's, on which only its ink is legible. */
function colorsOf({ accent }: PassVenue) {
  const ink = SURROUNDINGS.light['accent-ink'];
  return accent
    ? { backgroundColor: rgb(accent), foregroundColor: rgb(ink), labelColor: rgb(ink) }
    : {
        backgroundColor: 'rgb(94, 20, 36)',
        foregroundColor: 'rgb(250, 243, 230)',
        labelColor: 'rgb(222, 184, 118)',
      };
}

async function sign(
  config: AppleWalletConfig,
  { id, token, content }: ApplePass,
  venue: PassVenue,
  images: Images,
  logo: EncodedLogo | null,
): Promise<Uint8Array> {
  // Loaded only when passes are made.
  const { PKPass } = await import('passkit-generator');
  const pass = new PKPass(
    imagesWith(images, logo),
    { wwdr: config.issuer, signerCert: config.certificate, signerKey: config.key },
    {
      passTypeIdentifier: config.passTypeId,
      teamIdentifier: config.teamId,
      serialNumber: id,
      organizationName: venue.club_name,
      description: `Membership card of ${venue.club_name}`,
      ...(!(logo && isWordmark(logo)) && { logoText: venue.club_name }),
      webServiceURL: `${venue.public_url}${APPLE_WALLET_PATH}`,
      authenticationToken: token,
      sharingProhibited: true,
      voided: !content.valid,
      ...colorsOf(venue),
    },
  );
  pass.type = 'generic';
  pass.headerFields.push({
    key: 'pours',
    label: 'POURS LEFT',
    value: content.pours_left,
    changeMessage: 'Pours left: %@',
  });
  pass.primaryFields.push({ key: 'name', label: 'MEMBER', value: content.name });
  pass.secondaryFields.push(
    { key: 'tier', label: 'TIER', value: content.tier },
    {
      key: 'since',
      label: 'MEMBER SINCE',
      value: content.member_since,
      textAlignment: 'PKTextAlignmentRight',
    },
  );
  if (content.paid_until) {
    pass.auxiliaryFields.push({
      key: 'paid',
      label: 'PAID UNTIL',
      value: content.paid_until,
      changeMessage: 'Paid until %@',
    });
  }
  pass.backFields.push(
    { key: 'page', label: 'Your card', value: `${venue.public_url}/qr-code` },
    {
      key: 'lost',
      label: 'Lost your phone?',
      value: 'Get a new code on your card page. The one in this pass will then stop working.',
    },
    { key: 'support', label: 'Questions', value: venue.support_email },
  );
  // Shown on the locked screen near the venue.
  if (content.place && content.valid) {
    pass.setLocations({ ...content.place, relevantText: poursText(content, venue) });
  }
  pass.setBarcodes({ message: content.code, format: 'PKBarcodeFormatQR', messageEncoding: 'iso-8859-1' });
  return pass.getAsBuffer();
}

const poursText = ({ pours_left }: PassContent, { club_name }: PassVenue) =>
  `${club_name}: ${pourCount(pours_left)} left`;
