DROP TRIGGER IF EXISTS count_application ON "membership_applications";--> statement-breakpoint
DROP TRIGGER IF EXISTS count_changed_application ON "membership_applications";--> statement-breakpoint
DROP FUNCTION IF EXISTS count_application();--> statement-breakpoint
DROP FUNCTION IF EXISTS recount_applications();--> statement-breakpoint
DROP TABLE "application_count" CASCADE;
