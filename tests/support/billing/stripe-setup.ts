import type { BillingDeps } from '../../../src/server/billing/billing-context.ts';
import type { Finding } from '../../../src/server/billing/setup/setup-report.ts';
import { WEBHOOK_EVENTS } from '../../../src/server/billing/webhook-events.ts';
import type { Billing } from './drive-billing.ts';
import { openVenue, SECRET, type Venue } from './venue.ts';

export interface SetupVenue extends Venue {
  /** Billing with a PUBLIC_URL that leads to this venue's own endpoint. */
  reachable(deps?: Partial<BillingDeps>): Billing;
  /** The lines of a check with this health, as 'about: text'. */
  lines(health: Finding['health'], deps?: Partial<BillingDeps>): Promise<string[]>;
}

/** A venue that Stripe can reach at its PUBLIC_URL, like one that goes live. */
export async function openSetupVenue(): Promise<SetupVenue> {
  const venue = await openVenue();
  const publicUrl = await venue.listen();
  venue.sandbox.setWebhook({ url: `${publicUrl}/`, secret: SECRET, events: WEBHOOK_EVENTS });
  const reachable = (deps: Partial<BillingDeps> = {}) => venue.anotherProcess({ publicUrl, ...deps });
  venue.serveWith(reachable({ webhookSecrets: [SECRET] }));
  return {
    ...venue,
    reachable,
    async lines(health, deps) {
      const { findings } = await reachable(deps).checkStripe();
      return findings.filter((it) => it.health === health).map(({ about, text }) => `${about}: ${text}`);
    },
  };
}
