CREATE TABLE "leaving_reason" (
	"membership_id" uuid PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "leaving_reason_known" CHECK ("leaving_reason"."reason" in ('price', 'seldom_here', 'moving', 'wines', 'service', 'other'))
);
--> statement-breakpoint
CREATE TABLE "membership_term" (
	"membership_id" uuid NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"tier" text NOT NULL,
	"monthly_price_cents" integer NOT NULL,
	"standing" text NOT NULL,
	CONSTRAINT "membership_term_membership_id_since_pk" PRIMARY KEY("membership_id","since"),
	CONSTRAINT "membership_term_standing_known" CHECK ("membership_term"."standing" in ('venue', 'renewing', 'ending', 'overdue'))
);
--> statement-breakpoint
CREATE TABLE "pour_summary" (
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	"location" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"pours" integer NOT NULL,
	"glasses" integer NOT NULL,
	CONSTRAINT "pour_summary_day_hour_location_staff_id_pk" PRIMARY KEY("day","hour","location","staff_id")
);
--> statement-breakpoint
CREATE TABLE "summary_period" (
	"summary" text NOT NULL,
	"starts" date NOT NULL,
	"time_zone" text NOT NULL,
	CONSTRAINT "summary_period_summary_starts_pk" PRIMARY KEY("summary","starts")
);
--> statement-breakpoint
CREATE TABLE "summary_stale" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "summary_stale_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"poured_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "unused_summary" (
	"month" date NOT NULL,
	"tier" text NOT NULL,
	"periods" integer NOT NULL,
	"given" integer NOT NULL,
	"unused" integer NOT NULL,
	CONSTRAINT "unused_summary_month_tier_pk" PRIMARY KEY("month","tier")
);
--> statement-breakpoint
ALTER TABLE "leaving_reason" ADD CONSTRAINT "leaving_reason_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_term" ADD CONSTRAINT "membership_term_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_term" ADD CONSTRAINT "membership_term_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_summary" ADD CONSTRAINT "pour_summary_staff_id_profiles_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unused_summary" ADD CONSTRAINT "unused_summary_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "summary_stale_poured" ON "summary_stale" USING btree ("poured_at");--> statement-breakpoint
CREATE INDEX "allowance_period_end" ON "allowance_period" USING btree ("ends_at");--> statement-breakpoint
CREATE INDEX "pours_by_time" ON "pours" USING brin ("created_at");--> statement-breakpoint
-- What memberships are today counts from their first day: what they were before was not kept.
INSERT INTO "membership_term" ("membership_id", "since", "tier", "monthly_price_cents", "standing")
SELECT m."id", m."start_date"::timestamp AT TIME ZONE 'UTC', m."tier", m."monthly_price_cents",
       CASE WHEN m."stripe_subscription_id" IS NULL THEN 'venue'
            WHEN m."status" <> 'active' THEN 'renewing'
            WHEN s."status" NOT IN ('active', 'trialing') THEN 'overdue'
            WHEN s."cancel_at_period_end" OR s."cancel_at" IS NOT NULL THEN 'ending'
            ELSE 'renewing' END
  FROM "memberships" m LEFT JOIN "billing_subscription" s ON s."stripe_subscription_id" = m."stripe_subscription_id";
