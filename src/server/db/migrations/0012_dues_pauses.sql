ALTER TABLE "dues" DROP CONSTRAINT "dues_kind";--> statement-breakpoint
ALTER TABLE "dues" ALTER COLUMN "recorded_by_staff_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "paused_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "paused_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_recorded" CHECK ("dues"."recorded_by_staff_id" is not null or "dues"."kind" = 'pause');--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_kind" CHECK ("dues"."kind" = 'payment' and "dues"."months" > 0 and "dues"."paid_from" < "dues"."paid_until"
        or "dues"."kind" = 'start' and "dues"."months" = 0 and "dues"."amount_cents" = 0 and "dues"."paid_from" = "dues"."paid_until"
        or "dues"."kind" = 'pause' and "dues"."months" <> 0 and "dues"."amount_cents" = 0 and "dues"."paid_from" <= "dues"."paid_until");--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_paused" CHECK (num_nulls("memberships"."paused_from", "memberships"."paused_until") = 2
        or num_nulls("memberships"."paused_from", "memberships"."paused_until") = 0 and "memberships"."paused_from" < "memberships"."paused_until"
          and "memberships"."stripe_subscription_id" is null);