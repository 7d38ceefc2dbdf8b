CREATE TABLE "consent" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"what" text NOT NULL,
	"act_id" uuid NOT NULL,
	"text_version" text NOT NULL,
	"text" text NOT NULL,
	"terms_url" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "consent_what_known" CHECK ("consent"."what" in ('account', 'subscription'))
);
--> statement-breakpoint
ALTER TABLE "consent" ADD CONSTRAINT "consent_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "consent_once" ON "consent" USING btree ("user_id","what","act_id","text_version");