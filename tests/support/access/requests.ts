import { Authenticator } from '../fakes/passkey-authenticator.ts';
import { RATINGS } from '../fixtures/members.ts';
import { PASSWORD } from '../harness/app.ts';
import type { Cast } from './cast.ts';
import {
  challenge,
  memberApplication,
  memberInvoice,
  newApiClient,
  newApplication,
  newIdentity,
  newPasskey,
  newPour,
  newPreview,
  newSession,
  nobody,
} from './ids.ts';

const WRONG = 'not the password';
const WRONG_PASSWORD = ['WRONG_PASSWORD', 'INVALID_PASSWORD'];

/** A request of the access table. A call that takes an id gets one that belongs to the member. */
export interface Request {
  input?(cast: Cast): object | Promise<object>;
  /** Codes of the refusals that the input causes on purpose, for example so that no account is deleted. */
  deserves?: string[];
  /** Ends sessions. They are restored afterwards. */
  endsSessions?: boolean;
}

const ofMember = ({ member }: Cast) => ({ id: member.customer_id });
const toMember = ({ member }: Cast) => ({ customer_id: member.customer_id });

/** Requests by procedure. A procedure without an entry sends no input. */
export const PROCEDURES: Record<string, Request> = {
  'tiers.get': { input: () => ({ tier_name: 'select' }) },
  'applications.save': {
    input: () => ({ preferences: RATINGS, current_step: 1, is_complete: false }),
    deserves: ['ALREADY_MEMBER'],
  },
  'applications.get': { input: memberApplication },
  'applications.approve': {
    input: async (cast) => ({ ...(await newApplication(cast)), toast_reference_number: 'T-1' }),
  },
  'applications.reject': { input: newApplication },
  'members.get': { input: ofMember },
  'members.getBarCard': { input: ofMember },
  'profile.update': { input: () => ({ phone: '+43 1 7654321' }) },
  'pours.listForCustomer': { input: toMember },
  'pours.record': {
    input: (cast) => ({
      ...toMember(cast),
      request_id: cast.app.services.newId(),
      quantity: 1,
      location: 'bar',
    }),
  },
  'pours.void': { input: newPour },
  'sessions.delete': { input: newSession },
  'sessions.deleteOthers': { endsSessions: true },
  'linkedAccounts.unlink': { input: newIdentity },
  'apiClients.create': { input: () => ({ name: 'Till', password: WRONG }), deserves: WRONG_PASSWORD },
  'apiClients.delete': { input: newApiClient },
  'passkeys.rename': { input: async (cast) => ({ ...(await newPasskey(cast)), name: 'Phone' }) },
  'passkeys.delete': {
    input: async (cast) => ({ ...(await newPasskey(cast)), password: PASSWORD }),
  },
  'billing.previewTier': { input: () => ({ tier: 'household' }) },
  'billing.changeTier': { input: newPreview },
  'billing.openInvoice': { input: memberInvoice },
  'privacy.deleteAccount': {
    input: () => ({ password: WRONG, confirmation: 'DELETE' }),
    deserves: WRONG_PASSWORD,
  },
  'functions.getAvailablePours': { input: toMember },
  'functions.createCheckout': {
    input: async (cast) => ({ tierName: 'select', applicationId: (await memberApplication(cast)).id }),
    deserves: ['ALREADY_MEMBER'],
  },
  'functions.verifyQrToken': { input: () => ({ token: 'no card' }) },
  'functions.generateProfileSummary': { input: ({ member }) => ({ customerId: member.customer_id }) },
};

/** Requests by route, for everything mounted outside the contract. */
export const ROUTES: Record<string, Request & { body?: 'form'; path?: string }> = {
  'POST /api/auth/sign-up/email': {
    input: ({ member_email }) => ({
      first_name: 'Eve',
      last_name: 'Other',
      email: member_email,
      password: PASSWORD,
    }),
    deserves: ['USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL'],
  },
  'POST /api/auth/sign-in/email': {
    input: () => ({ email: 'nobody@example.test', password: WRONG }),
    deserves: ['INVALID_EMAIL_OR_PASSWORD'],
  },
  'POST /api/auth/sign-in/social': {
    input: () => ({ provider: 'vineyard' }),
    deserves: ['PROVIDER_NOT_FOUND'],
  },
  'POST /api/auth/link-social': {
    input: () => ({ provider: 'vineyard', password: WRONG, return_to: '/account' }),
    deserves: WRONG_PASSWORD,
  },
  'POST /api/auth/sign-out': { endsSessions: true },
  'POST /api/auth/request-password-reset': { input: nobody },
  'POST /api/auth/reset-password': {
    input: () => ({ token: 'nothing', password: 'another password' }),
    deserves: ['INVALID_TOKEN'],
  },
  'POST /api/auth/verify-email': { input: () => ({ token: 'a.b.c' }), deserves: ['INVALID_TOKEN'] },
  'POST /api/auth/send-verification-email': { input: nobody, deserves: ['EMAIL_MISMATCH'] },
  'POST /api/auth/two-factor/enable': { input: () => ({ password: WRONG }), deserves: WRONG_PASSWORD },
  'POST /api/auth/two-factor/disable': { input: () => ({ password: WRONG }), deserves: WRONG_PASSWORD },
  'POST /api/auth/two-factor/generate-backup-codes': {
    input: () => ({ password: WRONG }),
    deserves: [...WRONG_PASSWORD, 'TWO_FACTOR_NOT_ENABLED'],
  },
  'POST /api/auth/two-factor/verify-totp': {
    input: () => ({ code: '000000' }),
    deserves: ['INVALID_CODE', 'TOTP_NOT_ENABLED'],
  },
  'POST /api/auth/two-factor/verify-backup-code': {
    input: () => ({ code: 'aaaaa-bbbbb' }),
    deserves: ['INVALID_BACKUP_CODE', 'BACKUP_CODES_NOT_ENABLED'],
  },
  'POST /api/auth/passkey/generate-register-options': {
    input: () => ({ password: WRONG }),
    deserves: WRONG_PASSWORD,
  },
  'POST /api/auth/passkey/verify-registration': {
    input: ({ app }) => ({
      name: 'Phone',
      response: new Authenticator(app.url).create({ challenge: challenge(), rp: { id: 'localhost' } }),
    }),
    deserves: ['CHALLENGE_NOT_FOUND'],
  },
  'POST /api/auth/passkey/generate-authenticate-options': {},
  'POST /api/auth/passkey/verify-authentication': {
    input: ({ app }) => ({
      response: new Authenticator(app.url).get({ challenge: challenge(), rpId: 'localhost' }),
    }),
    deserves: ['CHALLENGE_NOT_FOUND'],
  },
  'POST /api/auth/token': { body: 'form', deserves: ['INVALID_CLIENT'] },
  'GET /api/auth/jwks': {},
  'GET /api/auth/callback/:provider': { path: '/api/auth/callback/vineyard' },
  'GET /api/session': {},
  'GET /api/openapi.json': {},
  'POST /api/stripe/webhook': { deserves: ['BAD_SIGNATURE'] },
  'GET /*': { path: '/staff/customers' },
};
