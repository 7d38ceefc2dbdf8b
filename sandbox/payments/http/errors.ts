export interface StripeFaultBody {
  type: 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  charge?: string;
  payment_intent?: unknown;
  payment_method?: unknown;
  doc_url?: string;
}

/** An answer in Stripe's error envelope. `remembered` says whether an idempotency key keeps it. */
export class StripeFault extends Error {
  readonly status: number;
  readonly body: StripeFaultBody;
  readonly remembered: boolean;

  constructor(status: number, body: StripeFaultBody, remembered = false) {
    super(body.message);
    this.status = status;
    this.body = body;
    this.remembered = remembered;
  }
}

/** 400 with a message, and where known the parameter and the code. */
export function invalid(message: string, param?: string, code?: string): StripeFault {
  return new StripeFault(400, {
    type: 'invalid_request_error',
    message,
    ...(code ? { code, doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}` } : {}),
    ...(param ? { param } : {}),
  });
}

/** "No such customer: 'cus_1'". 404 for the object of the path, 400 for one named by a parameter. */
export function missing(noun: string, id: string, param = 'id', status: 400 | 404 = 404): StripeFault {
  return new StripeFault(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    doc_url: 'https://docs.stripe.com/error-codes/resource-missing',
    message: `No such ${noun}: '${id}'`,
    param,
  });
}

/** 402: the card said no. Kept under the idempotency key, as the charge was really tried. */
export function cardRefused(details: Omit<StripeFaultBody, 'type'>): StripeFault {
  return new StripeFault(402, { type: 'card_error', ...details }, true);
}
