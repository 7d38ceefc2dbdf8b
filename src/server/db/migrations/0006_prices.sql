CREATE TABLE "price_move" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"stripe_subscription_id" text NOT NULL,
	"from_tier" text NOT NULL,
	"from_price_id" text NOT NULL,
	"to_tier" text NOT NULL,
	"to_amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"to_price_id" text,
	"effective_at" timestamp with time zone NOT NULL,
	"status" text NOT NULL,
	"stripe_schedule_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "price_move_status_known" CHECK ("price_move"."status" in ('announced', 'scheduled', 'done', 'canceled'))
);
--> statement-breakpoint
DROP INDEX "tier_price_of_amount";--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "tax_behavior" text DEFAULT 'unspecified' NOT NULL;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "payment_method_type" text;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD COLUMN "card_wallet" text;--> statement-breakpoint
ALTER TABLE "tier_price" ADD COLUMN "tax_behavior" text DEFAULT 'unspecified' NOT NULL;--> statement-breakpoint
ALTER TABLE "tier_price" ADD COLUMN "archived_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "tier_definitions" ADD COLUMN "sort_order" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tier_definitions" ADD COLUMN "is_featured" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "price_move" ADD CONSTRAINT "price_move_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_move" ADD CONSTRAINT "price_move_from_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("from_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "price_move" ADD CONSTRAINT "price_move_to_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("to_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "price_move_one_open" ON "price_move" USING btree ("user_id") WHERE "price_move"."status" in ('announced', 'scheduled');--> statement-breakpoint
CREATE INDEX "price_move_open" ON "price_move" USING btree ("effective_at") WHERE "price_move"."status" in ('announced', 'scheduled');--> statement-breakpoint
CREATE UNIQUE INDEX "tier_definitions_one_featured" ON "tier_definitions" USING btree ("is_featured") WHERE "tier_definitions"."is_featured";--> statement-breakpoint
CREATE UNIQUE INDEX "tier_price_of_amount" ON "tier_price" USING btree ("tier_name","amount_cents","currency","tax_behavior") WHERE "tier_price"."archived_at" is null;
--> statement-breakpoint
-- The first tiers' descriptions promised a second person, arrivals and evenings, which the product knows nothing of. A
-- venue's own words stay.
UPDATE tier_definitions SET description = CASE tier_name
    WHEN 'select' THEN 'A glass each week, poured when you like.'
    WHEN 'premier' THEN 'Two glasses a week, to taste your way through our list.'
    WHEN 'elite' THEN 'A glass every other day, for curious palates.'
    ELSE 'Our largest number of glasses, on one card.' END
  WHERE (tier_name, description) IN (
    ('select', 'A first glass each week: the house whites and reds, poured when you like.'),
    ('premier', 'Two glasses a week, with first taste of every new arrival.'),
    ('elite', 'Our library and single-vineyard pours, and a seat at the winemaker evenings.'),
    ('household', 'One card for two: share your glasses with the person you live with.')
  );
