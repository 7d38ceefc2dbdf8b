CREATE TABLE "tier_glasses" (
	"tier_name" text NOT NULL,
	"until" timestamp with time zone NOT NULL,
	"glasses" integer NOT NULL,
	CONSTRAINT "tier_glasses_tier_name_until_pk" PRIMARY KEY("tier_name","until"),
	CONSTRAINT "tier_glasses_count" CHECK ("tier_glasses"."glasses" >= 0)
);
--> statement-breakpoint
CREATE TABLE "unused_stale" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "unused_stale_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"day" date NOT NULL
);
--> statement-breakpoint
-- Months become days: a few hundred rows go, and the task counts the days anew, a little at a time.
DELETE FROM "unused_summary";--> statement-breakpoint
DELETE FROM "summary_period" WHERE "summary" = 'unused';--> statement-breakpoint
ALTER TABLE "unused_summary" DROP CONSTRAINT "unused_summary_month_tier_pk";--> statement-breakpoint
ALTER TABLE "unused_summary" DROP COLUMN "month";--> statement-breakpoint
ALTER TABLE "unused_summary" ADD COLUMN "day" date NOT NULL;--> statement-breakpoint
ALTER TABLE "unused_summary" ADD CONSTRAINT "unused_summary_day_tier_pk" PRIMARY KEY("day","tier");--> statement-breakpoint
ALTER TABLE "member_visit" ADD COLUMN "habit_zone" text;--> statement-breakpoint
ALTER TABLE "member_visit" ADD COLUMN "visits" integer;--> statement-breakpoint
ALTER TABLE "member_visit" ADD COLUMN "first_visit" date;--> statement-breakpoint
ALTER TABLE "tier_glasses" ADD CONSTRAINT "tier_glasses_tier_name_tier_definitions_tier_name_fk" FOREIGN KEY ("tier_name") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pour_rating_not_mine" ON "pour_rating" USING btree ("answered_at") WHERE "pour_rating"."verdict" = 'not_mine';--> statement-breakpoint
-- What tiers gave before they were changed is in the audit so far.
INSERT INTO "tier_glasses" ("tier_name", "until", "glasses")
SELECT a."facts"->>'tier', a."at", (a."facts"->>'glasses_before')::integer
  FROM "audit_entry" a JOIN "tier_definitions" t ON t."tier_name" = a."facts"->>'tier'
 WHERE a."act" = 'tier_changed' AND a."facts" ? 'glasses_before'
    ON CONFLICT DO NOTHING;
