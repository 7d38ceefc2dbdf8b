ALTER TABLE "email_change" ALTER COLUMN "session_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "email_change" ADD COLUMN "asked_by_staff_id" uuid;--> statement-breakpoint
ALTER TABLE "email_change" ADD CONSTRAINT "email_change_asked_by_staff_id_profiles_id_fk" FOREIGN KEY ("asked_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_change" ADD CONSTRAINT "email_change_asked" CHECK (num_nonnulls("email_change"."session_id", "email_change"."asked_by_staff_id") = 1);