ALTER TABLE "memberships" ADD COLUMN "pending_tier" text;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "pending_from" date;--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "pending_price_cents" integer;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_pending_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("pending_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "memberships_pending" ON "memberships" USING btree ("pending_from") WHERE "memberships"."pending_from" is not null;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_pending" CHECK (num_nulls("memberships"."pending_tier", "memberships"."pending_from", "memberships"."pending_price_cents") in (0, 3));