CREATE TABLE "bar_device" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"idle_minutes" integer NOT NULL,
	"opened_by_staff_id" uuid NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "bar_device_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "bar_device" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_pin" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"pin_hash" text NOT NULL,
	"set_at" timestamp with time zone NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "staff_pin" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "sessions" ADD COLUMN "bar_device_id" uuid;--> statement-breakpoint
ALTER TABLE "pour_voids" ADD COLUMN "bar_device_id" uuid;--> statement-breakpoint
ALTER TABLE "pours" ADD COLUMN "bar_device_id" uuid;--> statement-breakpoint
ALTER TABLE "bar_device" ADD CONSTRAINT "bar_device_opened_by_staff_id_profiles_id_fk" FOREIGN KEY ("opened_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_pin" ADD CONSTRAINT "staff_pin_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_voids" ADD CONSTRAINT "pour_voids_bar_device_id_bar_device_id_fk" FOREIGN KEY ("bar_device_id") REFERENCES "public"."bar_device"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_bar_device_id_bar_device_id_fk" FOREIGN KEY ("bar_device_id") REFERENCES "public"."bar_device"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_one_on_a_tablet" UNIQUE("bar_device_id");--> statement-breakpoint
CREATE POLICY "own_rows" ON "bar_device" AS PERMISSIVE FOR ALL TO public USING (opened_by_staff_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);