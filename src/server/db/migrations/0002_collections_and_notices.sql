ALTER TABLE "billing_act" DROP CONSTRAINT "billing_act_kind_known";--> statement-breakpoint
ALTER TABLE "staff_notice" DROP CONSTRAINT "staff_notice_kind_known";--> statement-breakpoint
ALTER TABLE "billing_payment" ADD COLUMN "amount_credited_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_act" ADD CONSTRAINT "billing_act_collection" CHECK ("billing_act"."kind" <> 'collection' or ("billing_act"."stripe_subscription_id" is not null
        and num_nulls("billing_act"."terms" ->> 'stripe_invoice_id', "billing_act"."terms" ->> 'payment_method') = 0));--> statement-breakpoint
ALTER TABLE "billing_act" ADD CONSTRAINT "billing_act_kind_known" CHECK ("billing_act"."kind" in ('pause', 'end', 'price_move', 'collection'));--> statement-breakpoint
ALTER TABLE "staff_notice" ADD CONSTRAINT "staff_notice_kind_known" CHECK ("staff_notice"."kind" in ('payment_unmatched', 'reversal_impossible', 'customer_missing', 'webhook_off', 'gift_reversed', 'payment_disputed', 'paid_more_than_once',
        'paid_without_membership', 'long_trial', 'invoice_not_finalized', 'unknown_subscription', 'caught_up', 'email_refused'));