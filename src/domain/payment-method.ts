/** A name as Stripe spells it: 'past_due' -> 'Past due' */
export function stripeLabel(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// Brands that need more than a capital first letter.
const BRANDS: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** 'visa' -> 'Visa' */
export function cardBrand(brand: string): string {
  return BRANDS[brand] ?? stripeLabel(brand);
}

// Wallets and methods that need more than a capital first letter.
const METHODS: Record<string, string> = {
  amazon_pay: 'Amazon Pay',
  apple_pay: 'Apple Pay',
  cashapp: 'Cash App Pay',
  google_pay: 'Google Pay',
  paypal: 'PayPal',
  samsung_pay: 'Samsung Pay',
  sepa_debit: 'SEPA Direct Debit',
  us_bank_account: 'Bank account',
};

/** A payment method in Stripe's words; all but the type are null unless it is a card. */
export interface NamedMethod {
  type: string;
  brand: string | null;
  last4: string | null;
  wallet: string | null;
}

/** 'Visa •••• 4242', with its wallet 'Visa •••• 4242 (Apple Pay)'; other methods by name only, such as 'Link'. */
export function paymentMethodLabel({ type, brand, last4, wallet }: NamedMethod): string {
  const name = (method: string) => METHODS[method] ?? stripeLabel(method);
  if (!brand || !last4) return name(type);
  return `${cardBrand(brand)} •••• ${last4}${wallet ? ` (${name(wallet)})` : ''}`;
}
