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

export class StripeFault extends Error {
  readonly status: number;
  readonly body: StripeFaultBody;

  constructor(status: number, body: StripeFaultBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }
}

/** 400 with a message and, if given, the parameter and code. */
export function invalid(message: string, param?: string, code?: string): StripeFault {
  return new StripeFault(400, {
    type: 'invalid_request_error',
    message,
    ...(code ? { code, doc_url: `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}` } : {}),
    ...(param ? { param } : {}),
  });
}

/** "No such customer: 'cus_1'". 404 for an id in the path, 400 for one in a parameter. */
export function missing(noun: string, id: string, param = 'id', status: 400 | 404 = 404): StripeFault {
  return new StripeFault(status, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    doc_url: 'https://docs.stripe.com/error-codes/resource-missing',
    message: `No such ${noun}: '${id}'`,
    param,
  });
}

/** 402: the card was declined. */
export function cardDeclined(details: Omit<StripeFaultBody, 'type'>): StripeFault {
  return new StripeFault(402, { type: 'card_error', ...details });
}
