ALTER TABLE "staff_notice" DROP CONSTRAINT "staff_notice_kind_known";--> statement-breakpoint
ALTER TABLE "billing_payment" ADD COLUMN "stripe_dispute_id" text;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD COLUMN "dispute_state" text;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD COLUMN "dispute_cents" integer;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD COLUMN "disputed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD COLUMN "dispute_settled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD CONSTRAINT "billing_payment_dispute_known" CHECK ("billing_payment"."dispute_state" in ('open', 'won', 'lost'));--> statement-breakpoint
ALTER TABLE "billing_payment" ADD CONSTRAINT "billing_payment_dispute" CHECK (num_nulls("billing_payment"."stripe_dispute_id", "billing_payment"."dispute_state", "billing_payment"."dispute_cents", "billing_payment"."disputed_at") in (0, 4)
          and ("billing_payment"."dispute_settled_at" is not null) = coalesce("billing_payment"."dispute_state" <> 'open', false));--> statement-breakpoint
ALTER TABLE "staff_notice" ADD CONSTRAINT "staff_notice_kind_known" CHECK ("staff_notice"."kind" in ('payment_unmatched', 'reversal_impossible', 'customer_missing', 'webhook_off', 'gift_reversed', 'payment_disputed', 'paid_more_than_once'));