CREATE TABLE "club_settings" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"overrides" jsonb NOT NULL,
	"version" integer NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "club_settings_only_row" CHECK ("club_settings"."only_row")
);
