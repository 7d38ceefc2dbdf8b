CREATE TABLE "membership_pause" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"stripe_subscription_id" text NOT NULL,
	"months" integer NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"asked_by" text NOT NULL,
	"status" text NOT NULL,
	"declined_returns" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "membership_pause_months" CHECK ("membership_pause"."months" between 1 and 3),
	CONSTRAINT "membership_pause_span" CHECK ("membership_pause"."starts_at" < "membership_pause"."ends_at"),
	CONSTRAINT "membership_pause_status_known" CHECK ("membership_pause"."status" in ('asked', 'set', 'withdrawing', 'withdrawn', 'returned', 'over', 'refused'))
);
--> statement-breakpoint
ALTER TABLE "membership_term" DROP CONSTRAINT "membership_term_standing_known";--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "paused_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "paused_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "member_directory" ADD COLUMN "paused_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "member_directory" ADD COLUMN "paused_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "membership_pause" ADD CONSTRAINT "membership_pause_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "membership_pause_one_open" ON "membership_pause" USING btree ("user_id") WHERE "membership_pause"."status" in ('asked', 'set', 'withdrawing');--> statement-breakpoint
CREATE INDEX "membership_pause_user" ON "membership_pause" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "member_directory_paused" ON "member_directory" USING btree ("paused_from") WHERE "member_directory"."paused_from" is not null;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_pause" CHECK ("billing_subscription"."paused_until" is null or "billing_subscription"."paused_until" > "billing_subscription"."paused_from");--> statement-breakpoint
ALTER TABLE "membership_term" ADD CONSTRAINT "membership_term_standing_known" CHECK ("membership_term"."standing" in ('venue', 'renewing', 'ending', 'paused', 'overdue'));