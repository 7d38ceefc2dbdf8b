CREATE TABLE "audit_entry" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_id" uuid,
	"device" text NOT NULL,
	"act" text NOT NULL,
	"subject_id" uuid,
	"facts" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_entry" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_permission" (
	"user_id" uuid NOT NULL,
	"permission" text NOT NULL,
	"given_at" timestamp with time zone NOT NULL,
	"given_by_staff_id" uuid,
	CONSTRAINT "staff_permission_user_id_permission_pk" PRIMARY KEY("user_id","permission"),
	CONSTRAINT "staff_permission_known" CHECK ("staff_permission"."permission" in ('manage_members', 'manage_money', 'manage_staff', 'see_reports'))
);
--> statement-breakpoint
ALTER TABLE "staff_permission" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "staff_permission" ADD CONSTRAINT "staff_permission_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_permission" ADD CONSTRAINT "staff_permission_given_by_staff_id_profiles_id_fk" FOREIGN KEY ("given_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "audit_entry_at" ON "audit_entry" USING btree ("at" desc,"id" desc);--> statement-breakpoint
CREATE INDEX "audit_entry_actor" ON "audit_entry" USING btree ("actor_id","at" desc,"id" desc);--> statement-breakpoint
CREATE INDEX "audit_entry_subject" ON "audit_entry" USING btree ("subject_id","at" desc,"id" desc);
--> statement-breakpoint
-- Who was staff before there were permissions could do everything, and still can.
INSERT INTO "staff_permission" ("user_id", "permission", "given_at")
SELECT "r"."user_id", "p", now()
  FROM "user_roles" "r", unnest(ARRAY['manage_members', 'manage_money', 'manage_staff', 'see_reports']) "p"
 WHERE "r"."role" = 'staff';
