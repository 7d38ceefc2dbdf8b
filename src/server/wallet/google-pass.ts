import { createSign } from 'node:crypto';
import { unixSeconds } from '../../domain/calendar.ts';
import { isWordmark } from '../../domain/club/logo.ts';
import type { GoogleWalletConfig } from '../config/wallet-config.ts';
import type { Venue } from '../mail/email.ts';
import { type CallWatch, watchCall } from '../platform/watch-call.ts';
import type { PassContent } from './pass-content.ts';

const TIMEOUT_MS = 10_000;
const TOKEN_SECONDS = 3600;
const SCOPE = 'https://www.googleapis.com/auth/wallet_object.issuer';
const SAVE = 'https://pay.google.com/gp/v/save/';
/** Google calls a longer JWT unsafe, because browsers may cut the link. */
const MAX_JWT_LENGTH = 1800;

export interface GooglePasses {
  /** The URL for saving the pass: with the pass in it, or its id if Google has to be sent the pass before. */
  saveUrl(passId: string, content: PassContent): Promise<string>;
  /** Updates a saved pass; does nothing if it was never saved. Throws if Google did not accept it. */
  update(passId: string, content: PassContent): Promise<void>;
}

interface GoogleDeps {
  now(): Date;
  venue: Venue;
  watch?: CallWatch | undefined;
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signJwt({ privateKey }: GoogleWalletConfig, claims: object): string {
  const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
}

const words = (value: string) => ({ defaultValue: { language: 'en-US', value } });

/** The logo's URL must be reachable for Google, which loads it. A narrow logo is cut to a circle. */
function logoOf({ club_name, logo }: Venue) {
  if (!logo?.url.startsWith('https:')) return {};
  const image = { sourceUri: { uri: logo.url }, contentDescription: words(club_name) };
  return isWordmark(logo) ? { wideLogo: image } : { logo: image };
}

function passObject({ issuerId }: GoogleWalletConfig, passId: string, content: PassContent, venue: Venue) {
  return {
    id: `${issuerId}.${passId}`,
    classId: `${issuerId}.membership`,
    state: content.valid ? 'ACTIVE' : 'INACTIVE',
    cardTitle: words(venue.club_name),
    ...logoOf(venue),
    header: words(content.name),
    hexBackgroundColor: venue.accent ?? '#5e1424',
    merchantLocations: content.place && content.valid ? [content.place] : [],
    barcode: { type: 'QR_CODE', value: content.code },
    textModulesData: [
      { id: 'pours', header: 'Pours left', body: String(content.pours_left) },
      { id: 'tier', header: 'Tier', body: content.tier },
      { id: 'since', header: 'Member since', body: content.member_since },
      ...(content.paid_until ? [{ id: 'paid', header: 'Paid until', body: content.paid_until }] : []),
    ],
  };
}

export function googlePasses(
  config: GoogleWalletConfig,
  { now, venue, watch = {} }: GoogleDeps,
): GooglePasses {
  let access: { token: string; until: number } | undefined;
  const seconds = () => unixSeconds(now());

  const send = (url: string, init: RequestInit) => {
    const method = init.method ?? 'GET';
    const call = { service: 'google', method, path: new URL(url).pathname } as const;
    return watchCall(watch, call, () =>
      fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) }),
    );
  };

  async function accessToken(): Promise<string> {
    // A minute less, to allow for transit to Google.
    if (access && access.until - 60 > seconds()) return access.token;
    const { clientEmail: iss, tokenUrl: aud } = config;
    const assertion = signJwt(config, {
      iss,
      scope: SCOPE,
      aud,
      iat: seconds(),
      exp: seconds() + TOKEN_SECONDS,
    });
    const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
    const response = await send(aud, {
      method: 'POST',
      body: new URLSearchParams({ grant_type, assertion }),
    });
    const body = response.ok ? ((await response.json()) as { access_token?: unknown }) : {};
    if (typeof body.access_token !== 'string') throw new Error(`Google gave no token (${response.status})`);
    access = { token: body.access_token, until: seconds() + TOKEN_SECONDS };
    return access.token;
  }

  /** Sends a resource. Throws if Google did not take it, except with the status in `exception`. Returns whether it took it. */
  async function write(method: string, path: string, body: object, exception: number): Promise<boolean> {
    const response = await send(`${config.apiUrl}/walletobjects/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${await accessToken()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.body?.cancel();
    if (response.status === 401) access = undefined;
    if (!response.ok && response.status !== exception) throw new Error(`Google refused (${response.status})`);
    return response.ok;
  }

  async function update(passId: string, content: PassContent): Promise<void> {
    const { id, ...object } = passObject(config, passId, content, venue);
    await write('PATCH', `genericObject/${id}`, object, 404);
  }

  const membershipClass = { id: `${config.issuerId}.membership` };

  /** Makes the pass at Google, for a link that only names it. */
  async function insert(passId: string, content: PassContent): Promise<void> {
    await write('POST', 'genericClass', membershipClass, 409);
    const isNew = await write('POST', 'genericObject', passObject(config, passId, content, venue), 409);
    if (!isNew) await update(passId, content);
  }

  const saveToken = (payload: object) =>
    signJwt(config, {
      iss: config.clientEmail,
      aud: 'google',
      typ: 'savetowallet',
      iat: seconds(),
      origins: [venue.public_url],
      payload,
    });

  return {
    async saveUrl(passId, content) {
      const object = passObject(config, passId, content, venue);
      const link = saveToken({ genericClasses: [membershipClass], genericObjects: [object] });
      if (link.length <= MAX_JWT_LENGTH) return SAVE + link;
      // Without an answer from Google, the long link is still better than none: many browsers take it.
      const isInserted = await insert(passId, content).then(
        () => true,
        () => false,
      );
      const { id, classId } = object;
      return SAVE + (isInserted ? saveToken({ genericObjects: [{ id, classId }] }) : link);
    },
    update,
  };
}
