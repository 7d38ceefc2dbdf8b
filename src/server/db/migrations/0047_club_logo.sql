CREATE TABLE "club_logo" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"plate" text,
	"content" "bytea" NOT NULL,
	"plated" "bytea",
	CONSTRAINT "club_logo_only_row" CHECK ("club_logo"."only_row"),
	CONSTRAINT "club_logo_size" CHECK (octet_length("club_logo"."content") <= 131072),
	CONSTRAINT "club_logo_plated_size" CHECK (octet_length("club_logo"."plated") <= 196608),
	CONSTRAINT "club_logo_plate" CHECK (("club_logo"."plate" IS NULL) = ("club_logo"."plated" IS NULL))
);
