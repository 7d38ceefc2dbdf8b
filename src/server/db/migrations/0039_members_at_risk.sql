CREATE TABLE "letter_opt_out" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "letter_opt_out" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "member_letter" (
	"id" uuid PRIMARY KEY NOT NULL,
	"request_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"sent_by_staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "member_letter_request_id_unique" UNIQUE("request_id")
);
--> statement-breakpoint
ALTER TABLE "letter_opt_out" ADD CONSTRAINT "letter_opt_out_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_letter" ADD CONSTRAINT "member_letter_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_letter" ADD CONSTRAINT "member_letter_sent_by_staff_id_profiles_id_fk" FOREIGN KEY ("sent_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "member_letter_customer" ON "member_letter" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE POLICY "own_rows" ON "letter_opt_out" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);