ALTER TABLE "checkout_attempt" DROP CONSTRAINT "checkout_attempt_application";--> statement-breakpoint
ALTER TABLE "billing_act" DROP CONSTRAINT "billing_act_end";--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD COLUMN "first_charge_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "next_subscription_id" text;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_first_charge" CHECK ("checkout_attempt"."first_charge_at" is null or "checkout_attempt"."application_id" is null and "checkout_attempt"."months" is null);--> statement-breakpoint
ALTER TABLE "billing_act" ADD CONSTRAINT "billing_act_end" CHECK ("billing_act"."kind" <> 'end' or (num_nulls("billing_act"."membership_id", "billing_act"."ends_at") = 0 and "billing_act"."terms" ->> 'ends' in ('period_end', 'now', 'year')
        and ("billing_act"."terms" ->> 'ends' = 'year') = ("billing_act"."asked_by_staff_id" is null)));