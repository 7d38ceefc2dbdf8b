CREATE TABLE "tier_change" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"stripe_subscription_id" text NOT NULL,
	"from_price_id" text NOT NULL,
	"to_tier" text NOT NULL,
	"to_price_id" text NOT NULL,
	"kind" text NOT NULL,
	"prorated_at" timestamp with time zone NOT NULL,
	"charged_now_cents" integer NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"asked_at" timestamp with time zone,
	CONSTRAINT "tier_change_status_known" CHECK ("tier_change"."status" in ('shown', 'asked', 'done', 'refused'))
);
--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "stripe_schedule_id" text;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "pending_tier" text;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "pending_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "pending_amount_cents" integer;--> statement-breakpoint
ALTER TABLE "tier_change" ADD CONSTRAINT "tier_change_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tier_change" ADD CONSTRAINT "tier_change_to_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("to_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tier_change_user" ON "tier_change" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "tier_change_one_asked" ON "tier_change" USING btree ("user_id") WHERE "tier_change"."status" = 'asked';--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_pending_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("pending_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_pending" CHECK (num_nulls("billing_subscription"."pending_tier", "billing_subscription"."pending_from", "billing_subscription"."pending_amount_cents") in (0, 3));