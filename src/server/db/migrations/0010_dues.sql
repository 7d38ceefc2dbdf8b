CREATE TABLE "dues" (
	"id" uuid PRIMARY KEY NOT NULL,
	"request_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"reference" text,
	"amount_cents" integer NOT NULL,
	"months" smallint NOT NULL,
	"method" text,
	"paid_on" date NOT NULL,
	"paid_from" date NOT NULL,
	"paid_until" date NOT NULL,
	"recorded_by_staff_id" uuid NOT NULL,
	"bar_device_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "dues_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "dues_amount" CHECK ("dues"."amount_cents" >= 0),
	CONSTRAINT "dues_kind" CHECK ("dues"."kind" = 'payment' and "dues"."months" > 0 and "dues"."paid_from" < "dues"."paid_until"
        or "dues"."kind" = 'start' and "dues"."months" = 0 and "dues"."amount_cents" = 0 and "dues"."paid_from" = "dues"."paid_until")
);
--> statement-breakpoint
CREATE TABLE "dues_void" (
	"dues_id" uuid PRIMARY KEY NOT NULL,
	"reason" text,
	"voided_by_staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "membership_term" DROP CONSTRAINT "membership_term_standing_known";--> statement-breakpoint
DROP INDEX "glass_change_paid_once";--> statement-breakpoint
ALTER TABLE "glass_change" ADD COLUMN "dues_id" uuid;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "canceled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "paid_until" date;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "grace_until" date;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "on_the_house" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "house_reason" text;--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_recorded_by_staff_id_profiles_id_fk" FOREIGN KEY ("recorded_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_bar_device_id_bar_device_id_fk" FOREIGN KEY ("bar_device_id") REFERENCES "public"."bar_device"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dues_void" ADD CONSTRAINT "dues_void_dues_id_dues_id_fk" FOREIGN KEY ("dues_id") REFERENCES "public"."dues"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dues_void" ADD CONSTRAINT "dues_void_voided_by_staff_id_profiles_id_fk" FOREIGN KEY ("voided_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "dues_customer" ON "dues" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "dues_membership" ON "dues" USING btree ("membership_id");--> statement-breakpoint
CREATE INDEX "dues_paid_on" ON "dues" USING btree ("paid_on");--> statement-breakpoint
CREATE INDEX "dues_recorded_by" ON "dues" USING btree ("recorded_by_staff_id");--> statement-breakpoint
CREATE INDEX "dues_bar_device" ON "dues" USING btree ("bar_device_id") WHERE "dues"."bar_device_id" is not null;--> statement-breakpoint
CREATE INDEX "dues_void_voided_by" ON "dues_void" USING btree ("voided_by_staff_id");--> statement-breakpoint
ALTER TABLE "glass_change" ADD CONSTRAINT "glass_change_dues_id_dues_id_fk" FOREIGN KEY ("dues_id") REFERENCES "public"."dues"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "glass_change_dues" ON "glass_change" USING btree ("dues_id") WHERE "glass_change"."dues_id" is not null;--> statement-breakpoint
CREATE INDEX "memberships_unpaid" ON "memberships" USING btree ("paid_until") WHERE "memberships"."status" = 'active' and "memberships"."paid_until" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "glass_change_paid_once" ON "glass_change" USING btree ("grant_id",coalesce("dues_id", "grant_id")) WHERE "glass_change"."kind" = 'paid';--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_canceled" CHECK ("memberships"."canceled_at" is null or "memberships"."ends_on" is not null and not "memberships"."is_gift");--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_dues" CHECK (("memberships"."paid_until" is null) = ("memberships"."grace_until" is null));--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_dues_at_venue" CHECK ("memberships"."paid_until" is null or "memberships"."stripe_subscription_id" is null and not "memberships"."is_gift" and not "memberships"."on_the_house");--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_house" CHECK (not "memberships"."on_the_house" or "memberships"."ends_on" is not null and "memberships"."monthly_price_cents" = 0);--> statement-breakpoint
ALTER TABLE "membership_term" ADD CONSTRAINT "membership_term_standing_known" CHECK ("membership_term"."standing" in ('venue', 'gift', 'house', 'renewing', 'ending', 'paused', 'overdue'));