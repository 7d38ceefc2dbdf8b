CREATE TABLE "billing_reversal" (
	"stripe_subscription_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"refund_from" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "billing_customer" ADD COLUMN "sync_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_customer" ADD COLUMN "synced_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "cancel_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "billing_reversal" ADD CONSTRAINT "billing_reversal_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_reversal_user" ON "billing_reversal" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "billing_reversal_open" ON "billing_reversal" USING btree ("created_at") WHERE "billing_reversal"."done_at" is null;--> statement-breakpoint
CREATE INDEX "billing_subscription_due" ON "billing_subscription" USING btree ("current_period_end") WHERE "billing_subscription"."status" not in ('canceled', 'incomplete_expired');--> statement-breakpoint
CREATE INDEX "checkout_attempt_unsettled" ON "checkout_attempt" USING btree ("created_at") WHERE "checkout_attempt"."status" in ('creating', 'open');