ALTER TABLE "pours" ADD COLUMN "place_name" text;--> statement-breakpoint
-- A tier for two is not on one card: each has their own. A venue's own words stay.
UPDATE tier_definitions SET description = 'Our largest number of glasses, for two to share.'
  WHERE tier_name = 'household' AND description = 'Our largest number of glasses, on one card.';
