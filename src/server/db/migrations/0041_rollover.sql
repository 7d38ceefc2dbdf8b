CREATE TABLE "allowance_rollover" (
	"customer_id" uuid NOT NULL,
	"period_starts_at" timestamp with time zone NOT NULL,
	"from_starts_at" timestamp with time zone NOT NULL,
	"tier" text NOT NULL,
	"glasses" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "allowance_rollover_customer_id_period_starts_at_pk" PRIMARY KEY("customer_id","period_starts_at"),
	CONSTRAINT "allowance_rollover_glasses" CHECK ("allowance_rollover"."glasses" > 0),
	CONSTRAINT "allowance_rollover_order" CHECK ("allowance_rollover"."from_starts_at" < "allowance_rollover"."period_starts_at")
);
--> statement-breakpoint
ALTER TABLE "allowance_rollover" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "tier_rollover" (
	"tier_name" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"glasses" smallint NOT NULL,
	CONSTRAINT "tier_rollover_tier_name_since_pk" PRIMARY KEY("tier_name","since"),
	CONSTRAINT "tier_rollover_glasses" CHECK ("tier_rollover"."glasses" between 0 and 100)
);
--> statement-breakpoint
ALTER TABLE "allowance_rollover" ADD CONSTRAINT "allowance_rollover_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowance_rollover" ADD CONSTRAINT "allowance_rollover_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tier_rollover" ADD CONSTRAINT "tier_rollover_tier_name_tier_definitions_tier_name_fk" FOREIGN KEY ("tier_name") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "own_rows" ON "allowance_rollover" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));