CREATE TABLE "allowance_gift" (
	"id" uuid PRIMARY KEY NOT NULL,
	"request_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"glasses" integer NOT NULL,
	"reason" text,
	"given_by_staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "allowance_gift_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "allowance_gift_glasses" CHECK ("allowance_gift"."glasses" > 0 or "allowance_gift"."kind" = 'correction' and "allowance_gift"."glasses" < 0)
);
--> statement-breakpoint
ALTER TABLE "allowance_gift" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "member_about" (
	"customer_id" uuid PRIMARY KEY NOT NULL,
	"allergies" text,
	"birth_month" smallint,
	"birth_day" smallint,
	"birth_year" smallint,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by_staff_id" uuid NOT NULL,
	CONSTRAINT "member_about_birthday" CHECK (num_nulls("member_about"."birth_month", "member_about"."birth_day") in (0, 2)),
	CONSTRAINT "member_about_month" CHECK ("member_about"."birth_month" between 1 and 12),
	CONSTRAINT "member_about_day" CHECK ("member_about"."birth_day" between 1 and 31)
);
--> statement-breakpoint
CREATE TABLE "member_note" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"removed_at" timestamp with time zone,
	"removed_by_staff_id" uuid,
	CONSTRAINT "member_note_removed" CHECK (num_nulls("member_note"."removed_at", "member_note"."removed_by_staff_id") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "member_note_version" (
	"note_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"body" text NOT NULL,
	"written_by_staff_id" uuid NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	CONSTRAINT "member_note_version_note_id_version_pk" PRIMARY KEY("note_id","version")
);
--> statement-breakpoint
CREATE TABLE "member_tag" (
	"customer_id" uuid NOT NULL,
	"tag_id" uuid NOT NULL,
	"added_by_staff_id" uuid NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	CONSTRAINT "member_tag_customer_id_tag_id_pk" PRIMARY KEY("customer_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "tag" (
	"id" uuid PRIMARY KEY NOT NULL,
	"label" text NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tag_key_unique" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "allowance_gift" ADD CONSTRAINT "allowance_gift_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "allowance_gift" ADD CONSTRAINT "allowance_gift_given_by_staff_id_profiles_id_fk" FOREIGN KEY ("given_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_about" ADD CONSTRAINT "member_about_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_about" ADD CONSTRAINT "member_about_changed_by_staff_id_profiles_id_fk" FOREIGN KEY ("changed_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_note" ADD CONSTRAINT "member_note_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_note" ADD CONSTRAINT "member_note_removed_by_staff_id_profiles_id_fk" FOREIGN KEY ("removed_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_note_version" ADD CONSTRAINT "member_note_version_note_id_member_note_id_fk" FOREIGN KEY ("note_id") REFERENCES "public"."member_note"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_note_version" ADD CONSTRAINT "member_note_version_written_by_staff_id_profiles_id_fk" FOREIGN KEY ("written_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_tag" ADD CONSTRAINT "member_tag_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_tag" ADD CONSTRAINT "member_tag_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tag"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_tag" ADD CONSTRAINT "member_tag_added_by_staff_id_profiles_id_fk" FOREIGN KEY ("added_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "allowance_gift_customer" ON "allowance_gift" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "member_note_customer" ON "member_note" USING btree ("customer_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "member_tag_of_tag" ON "member_tag" USING btree ("tag_id","customer_id");--> statement-breakpoint
CREATE INDEX "outbox_email_user" ON "outbox_email" USING btree ("user_id","sent_at");--> statement-breakpoint
CREATE POLICY "own_rows" ON "allowance_gift" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));