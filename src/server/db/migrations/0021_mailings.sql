CREATE TABLE "mailing" (
	"id" uuid PRIMARY KEY NOT NULL,
	"request_id" uuid NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"about_opening" boolean NOT NULL,
	"recipients" integer NOT NULL,
	"sent_by_staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"stopped_at" timestamp with time zone,
	"stopped_by_staff_id" uuid,
	CONSTRAINT "mailing_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "mailing_stopped" CHECK (num_nulls("mailing"."stopped_at", "mailing"."stopped_by_staff_id") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "mailing_recipient" (
	"mailing_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"emailed_at" timestamp with time zone,
	CONSTRAINT "mailing_recipient_mailing_id_customer_id_pk" PRIMARY KEY("mailing_id","customer_id")
);
--> statement-breakpoint
ALTER TABLE "mailing" ADD CONSTRAINT "mailing_sent_by_staff_id_profiles_id_fk" FOREIGN KEY ("sent_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailing" ADD CONSTRAINT "mailing_stopped_by_staff_id_profiles_id_fk" FOREIGN KEY ("stopped_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailing_recipient" ADD CONSTRAINT "mailing_recipient_mailing_id_mailing_id_fk" FOREIGN KEY ("mailing_id") REFERENCES "public"."mailing"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailing_recipient" ADD CONSTRAINT "mailing_recipient_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "mailing_created" ON "mailing" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "mailing_recipient_customer" ON "mailing_recipient" USING btree ("customer_id");