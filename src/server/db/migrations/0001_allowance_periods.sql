CREATE TABLE "allowance_change" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"period_starts_at" timestamp with time zone NOT NULL,
	"to_tier" text NOT NULL,
	"glasses" integer NOT NULL,
	"prorated_at" timestamp with time zone NOT NULL,
	"tier_change_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "allowance_change_tier_change_id_unique" UNIQUE("tier_change_id")
);
--> statement-breakpoint
ALTER TABLE "allowance_change" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "allowance_period" (
	"customer_id" uuid NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"stripe_subscription_id" text,
	"tier" text NOT NULL,
	"paid" boolean NOT NULL,
	"carried_pours" integer NOT NULL,
	CONSTRAINT "allowance_period_customer_id_starts_at_pk" PRIMARY KEY("customer_id","starts_at"),
	CONSTRAINT "allowance_period_length" CHECK ("allowance_period"."starts_at" < "allowance_period"."ends_at"),
	CONSTRAINT "allowance_period_carried" CHECK ("allowance_period"."carried_pours" >= 0)
);
--> statement-breakpoint
ALTER TABLE "allowance_period" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "allowance_change" ADD CONSTRAINT "allowance_change_to_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("to_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowance_change" ADD CONSTRAINT "allowance_change_tier_change_id_tier_change_id_fk" FOREIGN KEY ("tier_change_id") REFERENCES "public"."tier_change"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowance_change" ADD CONSTRAINT "allowance_change_of_period" FOREIGN KEY ("customer_id","period_starts_at") REFERENCES "public"."allowance_period"("customer_id","starts_at") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowance_period" ADD CONSTRAINT "allowance_period_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowance_period" ADD CONSTRAINT "allowance_period_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "allowance_change_period" ON "allowance_change" USING btree ("customer_id","period_starts_at");--> statement-breakpoint
CREATE POLICY "own_rows" ON "allowance_change" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "allowance_period" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
-- Periods that began before this migration.
INSERT INTO "allowance_period" ("customer_id", "starts_at", "ends_at", "stripe_subscription_id", "tier", "paid", "carried_pours")
SELECT m.customer_id, s.current_period_start, s.current_period_end, s.stripe_subscription_id, s.tier, s.status IN ('active', 'trialing'), 0
  FROM "memberships" m JOIN "billing_subscription" s ON s.stripe_subscription_id = m.stripe_subscription_id
 WHERE m.status = 'active';
