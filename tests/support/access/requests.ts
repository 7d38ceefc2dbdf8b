import { Authenticator } from '../fakes/passkey-authenticator.ts';
import { takeBenefit } from '../fixtures/benefits.ts';
import { RATINGS } from '../fixtures/members.ts';
import { RED_DOT } from '../fixtures/pictures.ts';
import { aWine } from '../fixtures/wines.ts';
import { PASSWORD } from '../harness/app.ts';
import type { Cast } from './cast.ts';
import {
  challenge,
  memberApplication,
  memberFactor,
  memberGift,
  memberInvoice,
  newAdoption,
  newApiClient,
  newApplication,
  newBenefit,
  newDelivery,
  newGift,
  newGlass,
  newGuest,
  newGuestGlass,
  newIdentity,
  newImport,
  newNote,
  newPasskey,
  newPayment,
  newPour,
  newPreview,
  newPushDevice,
  newRefund,
  newSession,
  newSignUp,
  newStaffNotice,
  newTaste,
  newWebhook,
  newWine,
  newWinePicture,
  nobody,
  noGuestGlass,
} from './ids.ts';

/** A well-formed code that belongs to no gift. */
const NO_GIFT = '0000-0000-0000-0000-0000';
const WRONG = 'not the password';
/** An outdated version of a record. */
const OLD_VERSION = { version: 'x'.repeat(16) };
const WRONG_PASSWORD = ['WRONG_PASSWORD'];
/** Apps cannot make these calls at all. */
const BY_BROWSER = [...WRONG_PASSWORD, 'BROWSER_NEEDED'];

/** A request of the access table. Calls with an id get one that belongs to the member. */
export interface Request {
  input?(cast: Cast): object | Promise<object>;
  /** Codes of refusals that the input causes on purpose, for example to prevent the deletion of the account. */
  deserves?: string[];
  /** Ends sessions, which are restored afterwards. */
  endsSessions?: boolean;
}

const ofMember = ({ member }: Cast) => ({ id: member.customer_id });
const ofUser = ({ member }: Cast) => ({ user_id: member.caller.id });
const toMember = ({ member }: Cast) => ({ customer_id: member.customer_id });

const MAILING = { subject: 'New wines', text: 'Come by.' };
const MARCH = { from: '2026-03-01', to: '2026-03-31' };

/** Requests by procedure. A procedure without an entry sends no input. */
export const PROCEDURES: Record<string, Request> = {
  'auth.signUp': {
    input: ({ member_email: email }) => ({
      first_name: 'Eve',
      last_name: 'Other',
      email,
      password: PASSWORD,
    }),
    deserves: ['EMAIL_TAKEN'],
  },
  'auth.join': {
    input: ({ member_email: email }) => ({ first_name: 'Eve', last_name: 'Other', email }),
    deserves: ['EMAIL_TAKEN'],
  },
  'auth.signIn': {
    input: () => ({ email: 'nobody@example.test', password: WRONG }),
    deserves: ['INVALID_CREDENTIALS'],
  },
  'auth.signInWithProvider': {
    input: () => ({ provider: 'vineyard' }),
    deserves: ['PROVIDER_NOT_FOUND'],
  },
  'auth.signInWithPasskey': {
    input: ({ app }) => ({
      response: new Authenticator(app.url).get({ challenge: challenge(), rpId: 'localhost' }),
    }),
    deserves: ['CHALLENGE_NOT_FOUND'],
  },
  'auth.signOut': { endsSessions: true },
  'auth.recover': { input: nobody },
  'auth.resetPassword': {
    input: () => ({ token: 'nothing', password: 'another password' }),
    deserves: ['LINK_INVALID'],
  },
  'auth.changePassword': {
    input: () => ({ current_password: WRONG, password: 'another password' }),
    deserves: WRONG_PASSWORD,
  },
  'auth.choosePassword': {
    input: () => ({ password: 'another password' }),
    deserves: ['PASSWORD_CHOSEN'],
  },
  'auth.verifyEmail': { input: () => ({ token: 'a.b.c' }), deserves: ['LINK_INVALID'] },
  'auth.resendVerification': { input: nobody, deserves: ['EMAIL_MISMATCH'] },
  'auth.createFactor': { input: () => ({ password: WRONG }), deserves: WRONG_PASSWORD },
  'auth.challengeFactor': { input: memberFactor },
  'auth.verifyFactor': {
    input: async (cast) => ({ ...(await memberFactor(cast)), code: '000000' }),
    deserves: ['CODE_INVALID', 'CODE_USED'],
  },
  'auth.deleteFactor': {
    input: async (cast) => ({ ...(await memberFactor(cast)), password: WRONG }),
    deserves: WRONG_PASSWORD,
  },
  'auth.createBackupCodes': { input: () => ({ password: WRONG }), deserves: WRONG_PASSWORD },
  'auth.verifyBackupCode': {
    input: () => ({ code: 'aaaaa-bbbbb' }),
    deserves: ['CODE_INVALID', 'TWO_FACTOR_NOT_ENABLED'],
  },
  'auth.createPasskeyOptions': { input: () => ({ password: WRONG }), deserves: BY_BROWSER },
  'auth.createPasskey': {
    input: ({ app }) => ({
      name: 'Phone',
      response: new Authenticator(app.url).create({ challenge: challenge(), rp: { id: 'localhost' } }),
    }),
    deserves: ['CHALLENGE_NOT_FOUND'],
  },
  'auth.confirmEmailChange': { input: () => ({ token: 'x'.repeat(43) }), deserves: ['LINK_INVALID'] },
  'emailChange.create': {
    input: () => ({ email: 'new@example.test', password: WRONG }),
    deserves: WRONG_PASSWORD,
  },
  'tokens.create': {
    input: () => ({
      query: { grant_type: 'password' },
      body: { email: 'nobody@example.test', password: WRONG },
    }),
    deserves: ['INVALID_CREDENTIALS'],
  },
  'tokens.signUp': {
    input: ({ member_email: email }) => ({
      email,
      password: PASSWORD,
      data: { first_name: 'Eve', last_name: 'Other' },
    }),
    deserves: ['EMAIL_TAKEN'],
  },
  'tokens.signOut': { input: () => ({ query: {}, body: {} }), endsSessions: true },
  'linkedAccounts.authorize': {
    input: () => ({
      query: { provider: 'vineyard', return_to: '/account/security' },
      headers: { 'x-password': encodeURIComponent(WRONG) },
    }),
    deserves: BY_BROWSER,
  },
  'tiers.get': { input: () => ({ tier_name: 'select' }) },
  'benefits.take': {
    input: async (cast) => ({ ...(await newBenefit(cast)), request_id: cast.app.services.newId() }),
  },
  'benefits.void': {
    input: async (cast) => {
      const { customer_id, benefit_id } = await newBenefit(cast);
      const { body } = await takeBenefit(cast.staff, customer_id, benefit_id);
      return { id: body.use_id, reason: 'Wrong member' };
    },
  },
  'tiers.getOnOffer': { input: () => ({ tier_name: 'select' }) },
  'tierSettings.add': {
    input: ({ app }) => ({
      tier_name: `t_${app.services.newId().replaceAll('-', '').slice(-20)}`,
      display_name: 'Grand Cru',
      description: 'The best of the cellar.',
      monthly_price_cents: 19_900,
      monthly_pours: 10,
    }),
  },
  'tierSettings.update': { input: () => ({ tier_name: 'select', display_name: 'Select' }) },
  'tierSettings.offer': { input: () => ({ tier_name: 'select', on_offer: true }) },
  'tierSettings.order': { input: () => ({ tiers: [] }) },
  'tierSettings.feature': { input: () => ({ tier_name: null }) },
  'tierSettings.previewMove': { input: () => ({ tier_name: 'connoisseur' }) },
  'tierSettings.move': { input: () => ({ tier_name: 'connoisseur', price_cents: 0 }) },
  'tierSettings.withdrawMoves': { input: () => ({ tier_name: 'connoisseur' }) },
  'emails.update': {
    input: () => ({ kind: 'welcome', version: -1, wording: { subject: '', opening: '', closing: '' } }),
    deserves: ['SETTINGS_CHANGED'],
  },
  'emails.preview': { input: () => ({ kind: 'welcome', subject: '', opening: '', closing: '' }) },
  'emails.previewPage': { input: () => ({ kind: 'welcome', subject: '', opening: '', closing: '' }) },
  'setup.setUpPayments': { input: () => ({ plan: '0'.repeat(32) }), deserves: ['SETUP_CHANGED'] },
  'club.saveLogo': { input: () => ({ content: RED_DOT }) },
  'club.savePicture': { input: () => ({ content: RED_DOT }) },
  'club.updateSettings': { input: () => ({ version: -1 }), deserves: ['SETTINGS_CHANGED'] },
  'setup.read': { input: () => ({ code: 'ABCDE' }), deserves: ['NOT_FOUND'] },
  'setup.create': {
    input: () => ({
      code: 'ABCDE',
      first_name: 'Eve',
      last_name: 'Other',
      email: 'eve@example.test',
      password: PASSWORD,
      club_name: 'Mine',
      time_zone: 'UTC',
    }),
    deserves: ['NOT_FOUND'],
  },
  'applications.save': {
    input: () => ({ preferences: RATINGS, current_step: 1, is_complete: false }),
    deserves: ['ALREADY_MEMBER'],
  },
  'applications.chooseTier': { input: () => ({ tier: 'select' }), deserves: ['ALREADY_MEMBER'] },
  'applications.get': { input: memberApplication },
  'applications.approve': {
    input: async (cast) => ({ ...(await newApplication(cast)), toast_reference_number: 'T-1' }),
  },
  'applications.reject': { input: newApplication },
  'members.get': { input: ofMember },
  'members.getBarCard': { input: ofMember },
  'barDevices.open': {
    input: () => ({ name: 'Bar', idle_minutes: 5, password: WRONG }),
    deserves: BY_BROWSER,
  },
  'barDevices.end': { input: ({ member }) => ({ id: member.caller.id }) },
  'barDevices.switchIn': { input: (cast) => ({ ...ofUser(cast), pin: '8042' }), deserves: ['WRONG_PIN'] },
  'barDevices.switchOut': { endsSessions: true },
  'barDevices.setPin': { input: () => ({ pin: '8042', password: WRONG }), deserves: WRONG_PASSWORD },
  'barDevices.removePin': { input: ofUser },
  'barSignUps.find': { input: ofUser },
  'barSignUps.create': { input: (cast) => ({ person: newGuest(cast), tier: 'select' }) },
  'barSignUps.get': { input: newSignUp },
  'barSignUps.renewLink': { input: newSignUp },
  'barSignUps.readLink': { input: () => ({ token: 'x'.repeat(43) }), deserves: ['LINK_INVALID'] },
  'barSignUps.pay': {
    input: () => ({ token: 'x'.repeat(43), browser: 'x'.repeat(43), consentVersion: '0'.repeat(16) }),
    deserves: ['LINK_INVALID'],
  },
  'membershipEnd.get': { input: toMember },
  'membershipEnd.create': {
    input: (cast) => ({
      ...{ ...toMember(cast), when: 'now', reason: 'other' },
      period_end: '2020-01-01T00:00:00.000Z',
    }),
    deserves: ['PREVIEW_EXPIRED'],
  },
  'membershipEnd.withdraw': { input: toMember, deserves: ['END_REFUSED'] },
  'memberDues.get': { input: toMember },
  'memberDues.record': {
    input: (cast) => ({
      ...toMember(cast),
      ...{ request_id: cast.app.services.newId(), reference: 'R-1', amount_cents: 3900, months: 1 },
      ...{ method: 'cash', paid_until: '2020-01-01' },
    }),
    deserves: ['DUES_REFUSED'],
  },
  'memberDues.recordDifference': {
    input: (cast) => ({
      ...toMember(cast),
      ...{ request_id: cast.app.services.newId(), tier: 'premier', reference: 'R-1', amount_cents: 27_500 },
      ...{ method: 'cash', from_tier: 'select', paid_until: '2020-01-01' },
    }),
    deserves: ['DUES_REFUSED'],
  },
  'memberDues.void': {
    input: async (cast) => ({ ...(await newPayment(cast)), reason: 'Mistake' }),
    deserves: ['DUES_REFUSED'],
  },
  'memberDues.countFrom': {
    input: ({ member }) => ({ customer_ids: [member.customer_id], day: '2026-01-01' }),
  },
  'memberAccount.get': { input: toMember },
  'memberAccount.update': {
    input: (cast) => ({
      ...toMember(cast),
      ...OLD_VERSION,
      first_name: 'Ada',
      last_name: 'Vine',
      phone: null,
    }),
    deserves: ['MEMBER_CHANGED'],
  },
  'memberAccount.changeEmail': {
    input: (cast) => ({ ...toMember(cast), ...OLD_VERSION, email: 'moved@example.test' }),
    deserves: ['MEMBER_CHANGED'],
  },
  'memberAccount.sendAccessEmail': { input: toMember },
  'memberEmails.list': { input: toMember },
  'memberEmails.send': {
    input: (cast) => ({ ...toMember(cast), kind: 'receipt' }),
    deserves: ['NOTHING_TO_SEND'],
  },
  'memberAccount.withdrawEmail': { input: toMember },
  'photos.saveOwn': { input: () => ({ content: RED_DOT, agreed: true }) },
  'photos.get': { input: toMember },
  'photos.save': { input: (cast) => ({ ...toMember(cast), content: RED_DOT, agreed: true }) },
  'photos.remove': { input: toMember },
  'memberRecord.listTimeline': { input: toMember },
  'memberRecord.get': { input: toMember },
  'memberRecord.exportTimeline': { input: toMember },
  'memberRecord.addNote': { input: (cast) => ({ ...toMember(cast), body: 'Likes Riesling' }) },
  'memberRecord.editNote': { input: async (cast) => ({ ...(await newNote(cast)), body: 'Likes Merlot' }) },
  'memberRecord.removeNote': { input: newNote },
  'memberRecord.addTag': { input: (cast) => ({ ...toMember(cast), label: 'Regular' }) },
  'memberRecord.removeTag': {
    input: (cast) => ({ ...toMember(cast), tag_id: cast.app.services.newId() }),
  },
  'memberRecord.updateAbout': {
    input: (cast) => ({ ...toMember(cast), allergies: 'Nuts', birthday: null }),
  },
  'glasses.give': {
    input: (cast) => ({
      ...toMember(cast),
      request_id: cast.app.services.newId(),
      kind: 'comp',
      glasses: 1,
      reason: 'A long wait',
    }),
  },
  'mailings.audience': { input: () => ({ filter: {} }) },
  'mailings.preview': { input: () => ({ filter: {}, ...MAILING }) },
  'mailings.send': {
    input: (cast) => ({ filter: {}, request_id: cast.app.services.newId(), ...MAILING }),
    deserves: ['MAILING_REFUSED'],
  },
  'mailings.stop': { input: (cast) => ({ id: cast.app.services.newId() }), deserves: ['NOT_FOUND'] },
  'outreach.sendEmail': {
    input: (cast) => ({
      ...toMember(cast),
      request_id: cast.app.services.newId(),
      subject: 'It has been a while',
      text: 'See you soon.',
    }),
    deserves: ['LETTER_REFUSED'],
  },
  'outreach.unsubscribe': { input: () => ({ token: 'x'.repeat(43) }), deserves: ['LINK_INVALID'] },
  'outreach.updateOwn': { input: () => ({ wanted: false, place: 'account' }) },
  'refunds.listPayments': { input: toMember },
  'refunds.create': { input: async (cast) => ({ ...toMember(cast), ...(await newRefund(cast)) }) },
  'ratings.save': { input: async (cast) => ({ ...(await newGlass(cast)), verdict: 'loved' }) },
  'ratings.dismiss': { input: newGlass },
  'ratings.saveWords': { input: () => ({ words: { red: 'like' } }) },
  'ratings.getForMember': { input: toMember },
  'winePictures.get': { input: newWinePicture },
  'winePictures.save': { input: async (cast) => ({ ...(await newWine(cast)), content: RED_DOT }) },
  'winePictures.remove': { input: newWinePicture },
  'wines.create': { input: () => aWine() },
  'wines.update': { input: async (cast) => ({ ...(await newWine(cast)), ...aWine() }) },
  'wines.order': { input: async (cast) => ({ ids: [(await newWine(cast)).id] }) },
  'wines.openBottle': { input: async (cast) => ({ ...(await newWine(cast)), instead_of: null }) },
  'wines.putAway': { input: async (cast) => ({ ...(await newWine(cast)), state: 'gone' }) },
  'profile.updateTaste': { input: newTaste },
  'profile.agree': { input: () => ({ consent_version: 'another' }), deserves: ['CONSENT_OUTDATED'] },
  'profile.update': { input: () => ({ phone: '+43 1 7654321' }) },
  'guestGlasses.give': { input: noGuestGlass },
  // The glass of the fixture has expired.
  'guestGlasses.renewLink': { input: newGuestGlass, deserves: ['GUEST_GLASS_REFUSED'] },
  'guestGlasses.withdraw': { input: newGuestGlass },
  'guestGlasses.read': { input: () => ({ token: 'x'.repeat(43) }), deserves: ['LINK_INVALID'] },
  'guestGlasses.stateAge': {
    input: () => ({ token: 'x'.repeat(43), age: 21 }),
    deserves: ['LINK_INVALID'],
  },
  // No caller has a tier for two.
  'households.invite': { input: () => ({}), deserves: ['HOUSEHOLD_REFUSED'] },
  'households.readInvitation': { input: () => ({ token: 'x'.repeat(43) }), deserves: ['LINK_INVALID'] },
  'households.acceptInvitation': {
    input: () => ({ token: 'x'.repeat(43), consent_version: '0'.repeat(16) }),
    deserves: ['CONSENT_OUTDATED'],
  },
  'pours.listForCustomer': { input: toMember },
  'pours.record': {
    input: (cast) => ({
      ...toMember(cast),
      request_id: cast.app.services.newId(),
      quantity: 1,
      location: 'bar',
    }),
  },
  'pours.void': { input: async (cast) => ({ ...(await newPour(cast)), reason: 'Spilled' }) },
  'team.invite': {
    input: ({ member_email: email }) => ({ email, permissions: ['see_reports'], password: WRONG }),
    deserves: WRONG_PASSWORD,
  },
  'team.withdrawInvitation': { input: ({ member }) => ({ id: member.caller.id }) },
  'team.readInvitation': { input: () => ({ token: 'x'.repeat(43) }), deserves: ['LINK_INVALID'] },
  'team.acceptInvitation': { input: () => ({ token: 'x'.repeat(43) }), deserves: ['LINK_INVALID'] },
  'team.setPermission': {
    input: ({ member }) => ({ user_id: member.caller.id, permission: 'see_reports', given: true }),
  },
  'team.remove': { input: ofUser },
  'team.signOut': { input: ofUser },
  'team.resetTwoFactor': {
    input: (cast) => ({ ...ofUser(cast), password: WRONG }),
    deserves: WRONG_PASSWORD,
  },
  'sessions.delete': { input: newSession },
  'sessions.deleteOthers': { endsSessions: true },
  'linkedAccounts.unlink': {
    input: async (cast) => ({ ...(await newIdentity(cast)), password: PASSWORD }),
  },
  'apiClients.create': { input: () => ({ name: 'Till', password: WRONG }), deserves: WRONG_PASSWORD },
  'apiClients.delete': { input: newApiClient },
  'passkeys.rename': { input: async (cast) => ({ ...(await newPasskey(cast)), name: 'Phone' }) },
  'passkeys.delete': {
    input: async (cast) => ({ ...(await newPasskey(cast)), password: PASSWORD }),
  },
  'pushDevices.create': {
    input: () => ({
      endpoint: 'https://push.example.com/any',
      keys: { p256dh: 'x'.repeat(87), auth: 'x'.repeat(22) },
    }),
  },
  'pushDevices.delete': { input: newPushDevice },
  'billing.previewTier': { input: () => ({ tier: 'household' }) },
  'billing.changeTier': { input: newPreview },
  'billing.buyTierUp': {
    input: () => ({ tier: 'premier' }),
    deserves: ['DUES_REFUSED', 'TIER_NOT_AVAILABLE', 'TIER_CHANGE_REFUSED'],
  },
  'billing.buyYear': { input: () => ({}), deserves: ['DUES_REFUSED', 'TIER_NOT_AVAILABLE'] },
  'billing.payByCard': { input: () => ({}), deserves: ['DUES_REFUSED'] },
  'billing.pause': { input: () => ({ months: 1 }) },
  'billing.endPause': { input: () => ({ amount: 3900 }) },
  'billing.extendPause': { input: () => ({ until: 0 }) },
  'billing.extendPauseForMember': { input: (cast) => ({ ...toMember(cast), until: 0 }) },
  'billing.pauseForMember': {
    input: (cast) => ({ ...toMember(cast), months: 1 }),
    deserves: ['PAUSE_REFUSED'],
  },
  'billing.withdrawPause': { input: toMember },
  'billing.changeTierAtVenue': {
    input: (cast) => ({ ...toMember(cast), tier_name: 'select' }),
    deserves: ['DUES_REFUSED'],
  },
  'billing.keepTierAtVenue': { input: toMember, deserves: ['DUES_REFUSED'] },
  'billing.openInvoice': { input: memberInvoice },
  // All callers send the same request_id; a tier that cannot be given prevents collisions.
  'gifts.buy': { input: () => ({ ...newGift(), tier: 'reserve' }), deserves: ['TIER_NOT_AVAILABLE'] },
  'gifts.check': { input: memberGift },
  'gifts.showCode': { input: memberGift },
  'gifts.resend': {
    input: async (cast) => ({
      ...(await memberGift(cast)),
      recipient_email: 'ben@friends.test',
      send_on: cast.app.clock.now().toISOString().slice(0, 10),
    }),
    // The gift is a printed card.
    deserves: ['NOT_FOUND'],
  },
  'gifts.refund': { input: memberGift },
  'gifts.look': { input: () => ({ code: NO_GIFT }), deserves: ['GIFT_CODE_UNKNOWN'] },
  'gifts.redeem': { input: () => ({ code: NO_GIFT }), deserves: ['GIFT_CODE_UNKNOWN'] },
  'gifts.listForMember': { input: toMember },
  'gifts.refundForMember': { input: async (cast) => ({ ...toMember(cast), ...(await memberGift(cast)) }) },
  'reports.members': { input: () => MARCH },
  'reports.revenue': { input: () => MARCH },
  'reports.payments': { input: () => MARCH },
  'reports.pours': { input: () => MARCH },
  'reports.unused': { input: () => MARCH },
  'reports.export': { input: () => ({ report: 'places', ...MARCH }) },
  'webhooks.create': {
    input: () => ({ url: 'https://198.51.100.7/', description: '', events: ['pour.voided'] }),
    deserves: ['WEBHOOK_URL_REFUSED'],
  },
  'webhooks.update': { input: newWebhook },
  'webhooks.delete': { input: newWebhook },
  'webhooks.rotateSecret': { input: newWebhook },
  'webhooks.sendTest': { input: newWebhook },
  'webhooks.listDeliveries': { input: newWebhook },
  'webhooks.replay': { input: newDelivery },
  'webhooks.replaySince': {
    input: async (cast) => ({ ...(await newWebhook(cast)), since: '2026-01-01T00:00:00Z' }),
  },
  'imports.create': {
    input: async (cast) => {
      await newImport(cast);
      return { file_name: 'members.csv', columns: ['Email'] };
    },
  },
  'imports.addRows': {
    input: async (cast) => ({ ...(await newImport(cast)), first_row: 1, rows: [['ana@example.test']] }),
    deserves: ['IMPORT_CHANGED'],
  },
  'imports.check': {
    input: async (cast) => ({ ...(await newImport(cast)), mapping: { email: 0 }, date_order: 'day_first' }),
    deserves: ['IMPORT_CHANGED'],
  },
  'imports.listRows': { input: newImport },
  'imports.start': { input: newImport, deserves: ['IMPORT_CHANGED'] },
  'imports.discard': { input: newImport, deserves: ['IMPORT_CHANGED'] },
  'imports.undo': { input: newImport },
  'imports.sendEmails': { input: newImport },
  'imports.report': { input: newImport },
  'adoptions.create': {
    input: async (cast) => {
      await newImport(cast);
      return {};
    },
  },
  'adoptions.check': {
    input: async (cast) => ({ ...(await newAdoption(cast)), tiers: {} }),
    deserves: ['IMPORT_CHANGED'],
  },
  'adoptions.start': { input: newAdoption, deserves: ['IMPORT_CHANGED'] },
  'adoptions.undo': { input: newAdoption },
  'staffNotices.settle': { input: newStaffNotice },
  'staffNotices.reopen': { input: newStaffNotice },
  'privacy.deleteAccount': {
    input: () => ({ password: WRONG, confirmation: 'DELETE' }),
    deserves: WRONG_PASSWORD,
  },
  'privacy.deleteMemberAccount': {
    input: (cast) => ({ ...toMember(cast), password: WRONG, confirmation: 'DELETE' }),
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
  'POST /api/auth/token': { body: 'form', deserves: ['INVALID_CLIENT'] },
  'POST /api/auth/token/': { body: 'form', deserves: ['INVALID_CLIENT'] },
  'GET /api/auth/callback/:provider': { path: '/api/auth/callback/vineyard' },
  'GET /api/session': {},
  'GET /api/docs': {},
  'GET /api/docs.css': {},
  'GET /api/openapi.json': {},
  'POST /api/csp-reports': {},
  'GET /.well-known/security.txt': {},
  'POST /unsubscribe': { deserves: ['LINK_INVALID'] },
  'POST /api/stripe/webhook': { deserves: ['BAD_SIGNATURE'] },
  'POST /api/wallet/apple/v1/devices/:device/registrations/:type/:serial': {
    path: '/api/wallet/apple/v1/devices/phone/registrations/pass.test/0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f',
  },
  'DELETE /api/wallet/apple/v1/devices/:device/registrations/:type/:serial': {
    path: '/api/wallet/apple/v1/devices/phone/registrations/pass.test/0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f',
  },
  'GET /api/wallet/apple/v1/devices/:device/registrations/:type': {
    path: '/api/wallet/apple/v1/devices/phone/registrations/pass.test',
  },
  'GET /api/wallet/apple/v1/passes/:type/:serial': {
    path: '/api/wallet/apple/v1/passes/pass.test/0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f',
  },
  'POST /api/wallet/apple/v1/log': { path: '/api/wallet/apple/v1/log' },
  'GET /healthz': {},
  'GET /readyz': {},
  'GET /*': { path: '/staff/customers' },
};
