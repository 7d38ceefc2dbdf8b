DROP INDEX "billing_subscription_due";--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "look_again_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "billing_subscription_due" ON "billing_subscription" USING btree ("look_again_at") WHERE "billing_subscription"."look_again_at" is not null;--> statement-breakpoint
UPDATE "billing_subscription" SET "look_again_at" = CASE
  WHEN "status" IN ('active', 'trialing') AND "current_period_start" < "synced_at" - interval '3 days'
    THEN LEAST("current_period_end", "cancel_at", "paused_from", "paused_until", "approval_until", "synced_at" + interval '7 days')
  ELSE "synced_at" + interval '1 hour' END
WHERE "status" NOT IN ('canceled', 'incomplete_expired');
