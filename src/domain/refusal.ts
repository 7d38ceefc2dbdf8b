import type { TierChangeObstacle } from './tier-change.ts';

/** Everything the product refuses, with its stable code. Contract errors are made from this, in one place. */
export interface RefusalData {
  NOT_SIGNED_IN: undefined;
  NOT_ALLOWED: undefined;
  TWO_FACTOR_REQUIRED: undefined;
  NOT_FOUND: { what: string };
  ALREADY_MEMBER: undefined;
  APPLICATION_NOT_PENDING: { status: string };
  APPLICATION_NOT_READY: undefined;
  TIER_NOT_AVAILABLE: undefined;
  TIER_CHANGE_REFUSED: { reason: TierChangeObstacle };
  PREVIEW_EXPIRED: undefined;
  PAYMENT_REFUSED: undefined;
  CUSTOMER_NOT_ACTIVE: undefined;
  POURS_EXCEEDED: { available_pours: number };
  REQUEST_ID_REUSED: undefined;
  VOID_NEEDS_REASON: undefined;
  TOO_MANY_MACHINES: undefined;
  LAST_WAY_IN: undefined;
  NO_SUBSCRIPTION: undefined;
  PAYMENTS_UNAVAILABLE: undefined;
  WRONG_PASSWORD: undefined;
  NO_PASSWORD: undefined;
  TOO_MANY_PASSKEYS: undefined;
  PASSKEY_IN_USE: undefined;
  NOT_VERIFIED_BY_DEVICE: undefined;
  TOO_MANY_ATTEMPTS: { retry_after_seconds: number };
}

export type RefusalCode = keyof RefusalData;

/** A rule said no. Thrown by verbs, mapped to the contract's error of the same code by server/errors.ts. */
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
