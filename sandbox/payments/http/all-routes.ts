import { accountRoutes } from '../account/account-routes.ts';
import { portalConfigurationRoutes } from '../account/portal-configurations.ts';
import { webhookEndpointRoutes } from '../account/webhook-endpoints.ts';
import { balanceRoutes } from '../balance/balance-routes.ts';
import { creditNoteRoutes } from '../invoices/credit-notes.ts';
import { invoiceItemRoutes } from '../invoices/invoice-items.ts';
import { previewRoutes } from '../invoices/invoice-preview.ts';
import { invoiceRoutes } from '../invoices/invoice-routes.ts';
import { cardSourceRoutes } from '../resources/card-sources.ts';
import { sessionRoutes } from '../resources/checkout-sessions.ts';
import { couponRoutes } from '../resources/coupons.ts';
import { customerRoutes } from '../resources/customer-routes.ts';
import { disputeRoutes } from '../resources/disputes.ts';
import { paymentMethodRoutes } from '../resources/payment-methods.ts';
import { portalRoutes } from '../resources/portal.ts';
import { priceRoutes } from '../resources/prices.ts';
import { productRoutes } from '../resources/products.ts';
import { refundRoutes } from '../resources/refunds.ts';
import { taxRateRoutes } from '../resources/tax-rates.ts';
import { eventRoutes } from '../store/events.ts';
import { testClockRoutes } from '../store/test-clocks.ts';
import { scheduleRoutes } from '../subscriptions/schedules.ts';
import { stopRoutes } from '../subscriptions/stop-routes.ts';
import { subscriptionRoutes } from '../subscriptions/subscriptions.ts';
import type { Route } from './routes.ts';

/** Every route of the Stripe API that the sandbox serves. */
export const allRoutes: Route[] = [
  ...balanceRoutes,
  ...priceRoutes,
  ...productRoutes,
  ...cardSourceRoutes,
  ...couponRoutes,
  ...creditNoteRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...eventRoutes,
  ...invoiceItemRoutes,
  ...invoiceRoutes,
  ...paymentMethodRoutes,
  ...portalRoutes,
  ...previewRoutes,
  ...refundRoutes,
  ...scheduleRoutes,
  ...sessionRoutes,
  ...subscriptionRoutes,
  ...stopRoutes,
  ...taxRateRoutes,
  ...testClockRoutes,
  ...accountRoutes,
  ...portalConfigurationRoutes,
  ...webhookEndpointRoutes,
];
