ALTER TABLE "dues" DROP CONSTRAINT "dues_recorded";--> statement-breakpoint
ALTER TABLE "billing_payment" ALTER COLUMN "stripe_subscription_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD COLUMN "months" smallint;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD COLUMN "dues_id" uuid;--> statement-breakpoint
ALTER TABLE "billing_refund" ADD COLUMN "returned_because" text;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD CONSTRAINT "billing_payment_dues_id_dues_id_fk" FOREIGN KEY ("dues_id") REFERENCES "public"."dues"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD CONSTRAINT "billing_payment_dues_id_unique" UNIQUE("dues_id");--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_months" CHECK ("checkout_attempt"."months" = 12);--> statement-breakpoint
ALTER TABLE "billing_payment" ADD CONSTRAINT "billing_payment_year" CHECK ("billing_payment"."dues_id" is null or "billing_payment"."stripe_subscription_id" is null);--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_recorded" CHECK ("dues"."recorded_by_staff_id" is not null or "dues"."kind" = 'pause' or coalesce("dues"."method", '') = 'online');