CREATE TABLE "email_change" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"new_email" text NOT NULL,
	"token_hash" text NOT NULL,
	"session_id" uuid NOT NULL,
	"device_hash" text,
	"requested_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "email_change_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "email_change" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "member_taste" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"wine_knowledge" smallint NOT NULL,
	"drinking_frequency" smallint NOT NULL,
	"red_wine_preference" smallint NOT NULL,
	"white_wine_preference" smallint NOT NULL,
	"adventurousness" smallint NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "member_taste_ratings" CHECK (wine_knowledge between 1 and 10 and drinking_frequency between 1 and 10 and red_wine_preference between 1 and 10 and white_wine_preference between 1 and 10 and adventurousness between 1 and 10)
);
--> statement-breakpoint
ALTER TABLE "member_taste" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "email_change" ADD CONSTRAINT "email_change_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_taste" ADD CONSTRAINT "member_taste_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "own_rows" ON "email_change" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "member_taste" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);