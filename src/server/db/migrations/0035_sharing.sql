CREATE TABLE "guest_glass" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"pool_id" uuid NOT NULL,
	"token_hash" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"age_stated_at" timestamp with time zone,
	"age_stated" integer,
	"withdrawn_at" timestamp with time zone,
	"pour_id" uuid,
	CONSTRAINT "guest_glass_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "guest_glass_pour_id_unique" UNIQUE("pour_id"),
	CONSTRAINT "guest_glass_used_or_withdrawn" CHECK ("guest_glass"."pour_id" is null or "guest_glass"."withdrawn_at" is null),
	CONSTRAINT "guest_glass_age" CHECK (("guest_glass"."age_stated_at" is null) = ("guest_glass"."age_stated" is null))
);
--> statement-breakpoint
ALTER TABLE "guest_glass" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "household_invitation" (
	"holder_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"email" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "household_invitation_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "household_invitation" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "household_seat" (
	"id" uuid PRIMARY KEY NOT NULL,
	"holder_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"joined_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	"told_at" timestamp with time zone,
	CONSTRAINT "household_seat_two" CHECK ("household_seat"."holder_id" <> "household_seat"."customer_id"),
	CONSTRAINT "household_seat_end" CHECK (("household_seat"."ended_at" is null) = ("household_seat"."ended_by" is null))
);
--> statement-breakpoint
ALTER TABLE "household_seat" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "consent" DROP CONSTRAINT "consent_what_known";--> statement-breakpoint
ALTER TABLE "pours" ADD COLUMN "pool_id" uuid;--> statement-breakpoint
ALTER TABLE "tier_definitions" ADD COLUMN "people" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "tier_definitions" ADD COLUMN "guest_glasses" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "guest_glass" ADD CONSTRAINT "guest_glass_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guest_glass" ADD CONSTRAINT "guest_glass_pool_id_customers_id_fk" FOREIGN KEY ("pool_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guest_glass" ADD CONSTRAINT "guest_glass_pour_id_pours_id_fk" FOREIGN KEY ("pour_id") REFERENCES "public"."pours"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "household_invitation" ADD CONSTRAINT "household_invitation_holder_id_customers_id_fk" FOREIGN KEY ("holder_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "household_seat" ADD CONSTRAINT "household_seat_holder_id_customers_id_fk" FOREIGN KEY ("holder_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "household_seat" ADD CONSTRAINT "household_seat_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "guest_glass_pool" ON "guest_glass" USING btree ("pool_id","created_at");--> statement-breakpoint
CREATE INDEX "guest_glass_giver" ON "guest_glass" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "household_seat_one_of_partner" ON "household_seat" USING btree ("customer_id") WHERE "household_seat"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "household_seat_one_of_holder" ON "household_seat" USING btree ("holder_id") WHERE "household_seat"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "household_seat_holder" ON "household_seat" USING btree ("holder_id","joined_at");--> statement-breakpoint
CREATE INDEX "household_seat_untold" ON "household_seat" USING btree ("ended_at") WHERE "household_seat"."told_at" is null;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_pool_id_customers_id_fk" FOREIGN KEY ("pool_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pours_of_pool" ON "pours" USING btree ("pool_id","created_at") WHERE "pours"."pool_id" is not null;--> statement-breakpoint
ALTER TABLE "consent" ADD CONSTRAINT "consent_what_known" CHECK ("consent"."what" in ('account', 'subscription', 'household'));--> statement-breakpoint
ALTER TABLE "tier_definitions" ADD CONSTRAINT "tier_definitions_people" CHECK ("tier_definitions"."people" between 1 and 2);--> statement-breakpoint
ALTER TABLE "tier_definitions" ADD CONSTRAINT "tier_definitions_guest_glasses" CHECK ("tier_definitions"."guest_glasses" between 0 and 20);--> statement-breakpoint
CREATE POLICY "own_rows" ON "guest_glass" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid) OR pool_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "household_seat" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid) OR holder_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
ALTER POLICY "own_rows" ON "pours" TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid) OR pool_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
UPDATE "tier_definitions" SET "people" = 2, "guest_glasses" = 2 WHERE "tier_name" = 'household';
