ALTER TABLE "pours" DROP CONSTRAINT "pours_location_known";--> statement-breakpoint
ALTER TABLE "pours" ADD COLUMN "place" text;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_location_words" CHECK ("pours"."location" ~ '^[^[:space:][:cntrl:]]{1,60}$');