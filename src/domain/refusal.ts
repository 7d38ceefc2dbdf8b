import type { ConsentWords } from './consent.ts';
import type { EndObstacle } from './membership/end.ts';
import type { GiftObstacle } from './membership/gift.ts';
import type { GuestGlassObstacle } from './membership/guest-glass.ts';
import type { HouseholdObstacle } from './membership/household.ts';
import type { PauseObstacle } from './membership/pause.ts';
import type { LetterObstacle } from './reports/at-risk.ts';
import type { ApiScope } from './staff/api-scope.ts';
import type { RefundObstacle } from './staff/refund.ts';
import type { WebhookUrlProblem } from './staff/webhook.ts';
import type { TierChangeObstacle } from './tier-change.ts';
import type { TierObstacle } from './tiers.ts';

/** Everything the product refuses, with its stable code. Contract errors are made from this, in one place. */
export interface RefusalData {
  NOT_SIGNED_IN: undefined;
  NOT_ALLOWED: undefined;
  TWO_FACTOR_REQUIRED: undefined;
  NOT_FOUND: { what: string };
  ALREADY_MEMBER: undefined;
  APPLICATION_NOT_PENDING: { status: string };
  APPLICATION_NOT_READY: undefined;
  TASTE_IN_APPLICATION: undefined;
  TIER_NOT_AVAILABLE: undefined;
  TIER_SETTING_REFUSED: { reason: TierObstacle };
  TIER_CHANGE_REFUSED: { reason: TierChangeObstacle };
  PAUSE_REFUSED: { reason: PauseObstacle };
  END_REFUSED: { reason: EndObstacle };
  LETTER_REFUSED: { reason: LetterObstacle };
  PREVIEW_EXPIRED: undefined;
  SETTINGS_CHANGED: undefined;
  SETUP_CHANGED: undefined;
  SETTING_REFUSED: { why: string };
  PICTURE_REFUSED: { why: string };
  PAYMENT_REFUSED: undefined;
  REFUND_REFUSED: { reason: RefundObstacle };
  HOUSEHOLD_REFUSED: { reason: HouseholdObstacle };
  GUEST_GLASS_REFUSED: { reason: GuestGlassObstacle };
  GUEST_GLASS_LIMIT: { limit: number };
  GIFT_CODE_UNKNOWN: undefined;
  GIFT_REFUSED: { reason: GiftObstacle };
  GIFT_DAY_REFUSED: undefined;
  CUSTOMER_NOT_ACTIVE: undefined;
  POURS_EXCEEDED: { available_pours: number };
  PLACE_UNKNOWN: undefined;
  REQUEST_ID_REUSED: undefined;
  NOTE_REMOVED: undefined;
  MEMBER_CHANGED: undefined;
  STAFF_ACCOUNT: undefined;
  TOO_MANY_TAGS: undefined;
  WINE_LISTED: undefined;
  TOO_MANY_WINES: undefined;
  VOID_NEEDS_REASON: undefined;
  IMPORT_OPEN: undefined;
  IMPORT_CHANGED: undefined;
  IMPORT_TOO_LARGE: undefined;
  IMPORT_NEEDS_HEADER: undefined;
  IMPORT_MAPPING: { why: string };
  LAST_STAFF_MANAGER: undefined;
  OWN_ACCOUNT: undefined;
  ALREADY_STAFF: undefined;
  PERSON_KNOWN: undefined;
  INVITATION_NEEDS_EMAIL: undefined;
  PASSWORD_NEEDED: undefined;
  TOO_MANY_API_CLIENTS: undefined;
  NO_SUBSCRIPTION: undefined;
  PAYMENTS_UNAVAILABLE: undefined;
  PASSWORD_REQUIRED: undefined;
  WRONG_PASSWORD: undefined;
  NO_PASSWORD: undefined;
  WRONG_PIN: { tries_left: number };
  PIN_LOCKED: undefined;
  PIN_EASY: undefined;
  TOO_MANY_DEVICES: undefined;
  PASSWORD_COMMON: undefined;
  PASSWORD_PERSONAL: undefined;
  TOO_MANY_PASSKEYS: undefined;
  PASSKEY_IN_USE: undefined;
  NOT_VERIFIED_BY_DEVICE: undefined;
  TOO_MANY_ATTEMPTS: { retry_after_seconds: number };
  INVALID_CREDENTIALS: undefined;
  /** With the current text; null if there is nothing to agree to any more. */
  CONSENT_OUTDATED: { current: ConsentWords | null };
  EMAIL_TAKEN: undefined;
  EMAIL_IN_USE: undefined;
  NOTHING_TO_SEND: undefined;
  EMAIL_UNCHANGED: undefined;
  EMAIL_SENDING_OFF: undefined;
  EMAIL_NOT_VERIFIED: undefined;
  EMAIL_ALREADY_VERIFIED: undefined;
  EMAIL_MISMATCH: undefined;
  EMAIL_VERIFICATION_OFF: undefined;
  LINK_EXPIRED: undefined;
  LINK_INVALID: undefined;
  CODE_INVALID: undefined;
  CODE_USED: undefined;
  TOO_MANY_CODES: undefined;
  TWO_FACTOR_NOT_ENABLED: undefined;
  TWO_FACTOR_ALREADY_ENABLED: undefined;
  CHALLENGE_NOT_FOUND: undefined;
  PASSKEY_NOT_FOUND: undefined;
  PASSKEY_REFUSED: undefined;
  PASSKEY_NOT_ADDED: undefined;
  PROVIDER_NOT_FOUND: undefined;
  PROVIDER_UNREACHABLE: { provider: string };
  ALREADY_LINKED: undefined;
  CAPTCHA_REQUIRED: undefined;
  CAPTCHA_FAILED: undefined;
  AUTH_REFUSED: undefined;
  FOREIGN_ORIGIN: undefined;
  WEBHOOK_URL_REFUSED: { reason: WebhookUrlProblem };
  WEBHOOK_OFF: undefined;
  TOO_MANY_WEBHOOKS: undefined;
  BODY_TOO_LARGE: undefined;
  UNSUPPORTED_MEDIA_TYPE: undefined;
  BAD_SIGNATURE: undefined;
  NOT_PROCESSED: undefined;
  INVALID_CLIENT: undefined;
  SESSION_ENDED: undefined;
  BROWSER_NEEDED: undefined;
  UNSUPPORTED_GRANT_TYPE: undefined;
  INVALID_SCOPE: undefined;
  SCOPE_NEEDED: { scope: ApiScope };
}

export type RefusalCode = keyof RefusalData;

/** A rule said no. Thrown by verbs, mapped to the contract's error of the same code by server/api/errors.ts. */
export class Refusal<C extends RefusalCode = RefusalCode> extends Error {
  readonly code: C;
  readonly data: RefusalData[C];

  constructor(code: C, ...data: RefusalData[C] extends undefined ? [] : [RefusalData[C]]) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.data = data[0] as RefusalData[C];
  }
}
