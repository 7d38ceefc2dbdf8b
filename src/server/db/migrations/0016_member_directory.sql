CREATE TABLE "member_directory" (
	"customer_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"sort_name" text NOT NULL,
	"tier" text NOT NULL,
	"status" text NOT NULL,
	"member_since" date NOT NULL,
	"stripe_status" text,
	"grace_until" timestamp with time zone,
	"ends_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "member_visit" (
	"customer_id" uuid PRIMARY KEY NOT NULL,
	"last_visit" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "member_directory" ADD CONSTRAINT "member_directory_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_visit" ADD CONSTRAINT "member_visit_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "member_directory_name" ON "member_directory" USING btree ("sort_name" collate "C","customer_id");--> statement-breakpoint
CREATE INDEX "member_directory_joined" ON "member_directory" USING btree ("member_since","customer_id");--> statement-breakpoint
CREATE INDEX "member_directory_tier" ON "member_directory" USING btree ("tier","member_since");--> statement-breakpoint
CREATE INDEX "member_directory_stripe_status" ON "member_directory" USING btree ("stripe_status") WHERE "member_directory"."stripe_status" is not null;--> statement-breakpoint
CREATE INDEX "member_directory_ends" ON "member_directory" USING btree ("ends_at") WHERE "member_directory"."ends_at" is not null;--> statement-breakpoint
CREATE INDEX "member_directory_user" ON "member_directory" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "member_visit_newest" ON "member_visit" USING btree ("last_visit","customer_id");