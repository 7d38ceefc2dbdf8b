CREATE TABLE "member_photo" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"content" "bytea" NOT NULL,
	"set_at" timestamp with time zone NOT NULL,
	"set_by_staff_id" uuid,
	CONSTRAINT "member_photo_size" CHECK (octet_length("member_photo"."content") <= 65536)
);
--> statement-breakpoint
ALTER TABLE "member_photo" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "wine_picture" (
	"wine_id" uuid PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "wine_picture_size" CHECK (octet_length("wine_picture"."content") <= 65536)
);
--> statement-breakpoint
ALTER TABLE "member_photo" ADD CONSTRAINT "member_photo_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_photo" ADD CONSTRAINT "member_photo_set_by_staff_id_profiles_id_fk" FOREIGN KEY ("set_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wine_picture" ADD CONSTRAINT "wine_picture_wine_id_wine_id_fk" FOREIGN KEY ("wine_id") REFERENCES "public"."wine"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "own_rows" ON "member_photo" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);