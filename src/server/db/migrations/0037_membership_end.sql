CREATE TABLE "membership_end" (
	"id" uuid PRIMARY KEY NOT NULL,
	"membership_id" uuid NOT NULL,
	"ends" text NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"asked_by_staff_id" uuid NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "membership_end_when_known" CHECK ("membership_end"."ends" in ('period_end', 'now')),
	CONSTRAINT "membership_end_status_known" CHECK ("membership_end"."status" in ('asked', 'set', 'withdrawing', 'withdrawn'))
);
--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "ends_on" date;--> statement-breakpoint
ALTER TABLE "membership_end" ADD CONSTRAINT "membership_end_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_end" ADD CONSTRAINT "membership_end_asked_by_staff_id_profiles_id_fk" FOREIGN KEY ("asked_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "membership_end_one_open" ON "membership_end" USING btree ("membership_id") WHERE "membership_end"."status" in ('asked', 'set', 'withdrawing');--> statement-breakpoint
CREATE INDEX "membership_end_to_carry_out" ON "membership_end" USING btree ("created_at") WHERE "membership_end"."status" in ('asked', 'withdrawing');--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_ends_at_venue" CHECK ("memberships"."ends_on" is null or "memberships"."stripe_subscription_id" is null);