import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { PKPass } from 'passkit-generator';
import { SURROUNDINGS } from '../../domain/club/colors.ts';
import {
  APPLE_WALLET_PATH,
  type ApplePassAnswer,
  type ApplePassJob,
  type ApplePassSetup,
  type PassVenue,
} from './apple-pass.ts';

// Of this thread alone, which only Linux can do; elsewhere it would be the whole server's.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { config } = workerData as ApplePassSetup;
const IMAGES = ['icon.png', 'icon@2x.png', 'icon@3x.png', 'logo.png', 'logo@2x.png', 'logo@3x.png'];
const images = Object.fromEntries(
  IMAGES.map((name) => [name, readFileSync(fileURLToPath(new URL(`./images/${name}`, import.meta.url)))]),
);

/** The pictures of a pass. Wallet makes a logo smaller that is larger than its room. */
const imagesWith = (logo: ApplePassJob['logo']) => {
  if (!logo) return images;
  const content = Buffer.from(logo.content);
  return { ...images, 'logo.png': content, 'logo@2x.png': content, 'logo@3x.png': content };
};

const rgb = (color: string) =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(', ')})`;

/** As the card on the member's page: wine red, parchment, brass; or the club's color, on which only its ink reads. */
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

function sign({ id, token, content, venue, logo }: ApplePassJob): Buffer {
  const pass = new PKPass(
    imagesWith(logo),
    { wwdr: config.issuer, signerCert: config.certificate, signerKey: config.key },
    {
      passTypeIdentifier: config.passTypeId,
      teamIdentifier: config.teamId,
      serialNumber: id,
      organizationName: venue.club_name,
      description: `Membership card of ${venue.club_name}`,
      ...(!logo?.wordmark && { logoText: venue.club_name }),
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
    label: 'GLASSES LEFT',
    value: content.pours_left,
    changeMessage: 'Glasses left: %@',
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
  pass.backFields.push(
    { key: 'page', label: 'Your card', value: `${venue.public_url}/qr-code` },
    {
      key: 'lost',
      label: 'Lost your phone?',
      value: 'Get a new code on your card page. The one in this pass then stops working.',
    },
    { key: 'support', label: 'Questions', value: venue.support_email },
  );
  pass.setBarcodes({ message: content.code, format: 'PKBarcodeFormatQR', messageEncoding: 'iso-8859-1' });
  return pass.getAsBuffer();
}

parentPort?.on('message', (asked: ApplePassJob) => {
  const { job } = asked;
  let answer: ApplePassAnswer;
  try {
    answer = { job, file: new Uint8Array(sign(asked)) };
  } catch (error) {
    answer = { job, error: (error as Error).message };
  }
  parentPort?.postMessage(answer);
});
