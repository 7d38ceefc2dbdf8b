ALTER TABLE "checkout_attempt" DROP CONSTRAINT "checkout_attempt_application";--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD COLUMN "first_charge_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "next_subscription_id" text;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_first_charge" CHECK ("checkout_attempt"."first_charge_at" is null or "checkout_attempt"."application_id" is null and "checkout_attempt"."months" is null);--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_next" CHECK ("memberships"."next_subscription_id" is null or "memberships"."canceled_at" is not null and not "memberships"."on_the_house");