CREATE TABLE "profile_search" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"search_text" text NOT NULL,
	"customer_id" uuid,
	"member_since" date
);
--> statement-breakpoint
CREATE TABLE "profile_summary" (
	"key" text PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"summary" text,
	"asked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "profile_search" ADD CONSTRAINT "profile_search_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profile_summary" ADD CONSTRAINT "profile_summary_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "profile_search_newest" ON "profile_search" USING btree ("member_since" DESC NULLS LAST,"customer_id" DESC NULLS LAST) WHERE "profile_search"."member_since" is not null;--> statement-breakpoint
CREATE INDEX "profile_summary_customer" ON "profile_summary" USING btree ("customer_id");