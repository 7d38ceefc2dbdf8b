import type { AuthContext } from './auth/auth-context.ts';
import type { PaymentLinkContext } from './auth/bar-sign-ups/payment-link.ts';
import type { FirstStart } from './auth/first-start.ts';
import type { Backups } from './db/backup/backups.ts';
import type { Deliveries } from './deliveries/deliveries.ts';
import type { PersonalMailContext } from './mail/unsubscribe.ts';
import type { Club } from './membership/club/club.ts';
import type { EmailContext } from './membership/club/email-wordings.ts';
import type { MembershipContext } from './membership/membership-context.ts';
import type { MonitoringContext } from './monitoring/monitoring-context.ts';
import type { PrivacyContext } from './privacy/privacy-context.ts';
import type { PushOutbox } from './push/push-outbox.ts';
import type { SummaryContext } from './summary/summary-context.ts';
import type { WalletContext } from './wallet/wallet-context.ts';
import type { WebhookContext } from './webhooks/webhook-context.ts';
import type { WinesContext } from './wines/wine-list.ts';

/** Context of verbs, with the signed-in user. Each folder names its own part; compose.ts builds it. */
export interface Ctx
  extends AuthContext,
    WalletContext,
    WinesContext,
    SummaryContext,
    WebhookContext,
    Pick<EmailContext, 'emailSamples'>,
    PersonalMailContext,
    MembershipContext,
    PrivacyContext,
    MonitoringContext,
    PaymentLinkContext {
  backups: Backups;
  push: PushOutbox;
  club: Club;
  firstStart: FirstStart;
  deliveries: Deliveries;
}

export type Services = Omit<Ctx, 'actor'>;
