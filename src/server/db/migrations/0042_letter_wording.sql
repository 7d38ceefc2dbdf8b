CREATE TABLE "letter_wording" (
	"letter" text PRIMARY KEY NOT NULL,
	"wording" jsonb NOT NULL,
	"version" integer NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
