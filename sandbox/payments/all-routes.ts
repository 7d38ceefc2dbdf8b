import { customerRoutes } from './customers.ts';
import { disputeRoutes } from './disputes.ts';
import { eventRoutes } from './events.ts';
import { previewRoutes } from './invoice-preview.ts';
import { invoiceRoutes } from './invoice-routes.ts';
import { paymentMethodRoutes } from './payment-methods.ts';
import { portalRoutes } from './portal.ts';
import { priceRoutes } from './prices.ts';
import { productRoutes } from './products.ts';
import { refundRoutes } from './refunds.ts';
import type { Route } from './routes.ts';
import { scheduleRoutes } from './schedules.ts';
import { sessionRoutes } from './sessions.ts';
import { subscriptionRoutes } from './subscriptions.ts';
import { testClockRoutes } from './test-clocks.ts';

/** Every call of the Stripe API that the sandbox answers. */
export const allRoutes: Route[] = [
  ...priceRoutes,
  ...productRoutes,
  ...customerRoutes,
  ...disputeRoutes,
  ...eventRoutes,
  ...invoiceRoutes,
  ...paymentMethodRoutes,
  ...portalRoutes,
  ...previewRoutes,
  ...refundRoutes,
  ...scheduleRoutes,
  ...sessionRoutes,
  ...subscriptionRoutes,
  ...testClockRoutes,
];
