import type Stripe from 'stripe';

/** What sends requests, for the parameters of each of its methods. */
export type Client = Stripe;

/** The objects that the sandbox serves and the schema covers, by their field `object`. */
export interface Served {
  account: Stripe.Account;
  balance_transaction: Stripe.BalanceTransaction;
  'billing_portal.configuration': Stripe.BillingPortal.Configuration;
  'billing_portal.session': Stripe.BillingPortal.Session;
  card: Stripe.Card;
  charge: Stripe.Charge;
  'checkout.session': Stripe.Checkout.Session;
  coupon: Stripe.Coupon;
  credit_note: Stripe.CreditNote;
  customer: Stripe.Customer | Stripe.DeletedCustomer;
  discount: Stripe.Discount;
  dispute: Stripe.Dispute;
  invoice: Stripe.Invoice;
  invoice_payment: Stripe.InvoicePayment;
  invoiceitem: Stripe.InvoiceItem;
  item: Stripe.LineItem;
  line_item: Stripe.InvoiceLineItem;
  payment_intent: Stripe.PaymentIntent;
  payment_method: Stripe.PaymentMethod;
  payment_method_configuration: Stripe.PaymentMethodConfiguration;
  payout: Stripe.Payout;
  plan: Stripe.Plan;
  price: Stripe.Price;
  product: Stripe.Product;
  refund: Stripe.Refund;
  subscription: Stripe.Subscription;
  subscription_item: Stripe.SubscriptionItem;
  subscription_schedule: Stripe.SubscriptionSchedule;
  tax_rate: Stripe.TaxRate;
  'tax.settings': Stripe.Tax.Settings;
  'test_helpers.test_clock': Stripe.TestHelpers.TestClock;
  webhook_endpoint: Stripe.WebhookEndpoint | Stripe.DeletedWebhookEndpoint;
}
