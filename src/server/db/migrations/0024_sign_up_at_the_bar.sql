CREATE TABLE "payment_link" (
	"application_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"browser_hash" text,
	"created_by_staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"opened_at" timestamp with time zone,
	"continued_at" timestamp with time zone,
	CONSTRAINT "payment_link_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "payment_link" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD COLUMN "by_link" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_application_id_membership_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."membership_applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_created_by_staff_id_profiles_id_fk" FOREIGN KEY ("created_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;