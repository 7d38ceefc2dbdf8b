ALTER TABLE "tier_change" DROP CONSTRAINT "tier_change_status_known";--> statement-breakpoint
ALTER TABLE "billing_customer" ADD COLUMN "tried_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "billing_customer" ADD COLUMN "profile_sent_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD COLUMN "unrefundable" text;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "add_ons_cents" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "approval_tier" text;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "approval_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD COLUMN "tried_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "stripe_event" ADD COLUMN "tried_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_approval_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("approval_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_approval" CHECK (num_nulls("billing_subscription"."approval_tier", "billing_subscription"."approval_until") in (0, 2));--> statement-breakpoint
ALTER TABLE "tier_change" ADD CONSTRAINT "tier_change_status_known" CHECK ("tier_change"."status" in ('shown', 'asked', 'approval', 'done', 'refused'));