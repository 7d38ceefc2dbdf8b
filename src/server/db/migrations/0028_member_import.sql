CREATE TABLE "imported_account" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"imported_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "imported_account" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "member_import" (
	"id" uuid PRIMARY KEY NOT NULL,
	"file_name" text,
	"status" text NOT NULL,
	"columns" jsonb NOT NULL,
	"mapping" jsonb NOT NULL,
	"date_order" text NOT NULL,
	"total_rows" integer DEFAULT 0 NOT NULL,
	"done_rows" integer DEFAULT 0 NOT NULL,
	"ready_rows" integer DEFAULT 0 NOT NULL,
	"venue_rows" integer DEFAULT 0 NOT NULL,
	"imported_rows" integer DEFAULT 0 NOT NULL,
	"kept_rows" integer DEFAULT 0 NOT NULL,
	"new_tags" jsonb NOT NULL,
	"started_by_staff_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"rows_deleted_at" timestamp with time zone,
	"emails_wanted" boolean DEFAULT false NOT NULL,
	"emailed_rows" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "member_import_status_known" CHECK ("member_import"."status" in ('uploading', 'checking', 'checked', 'importing', 'imported', 'undoing', 'undone'))
);
--> statement-breakpoint
ALTER TABLE "member_import" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "member_import_row" (
	"import_id" uuid NOT NULL,
	"row_no" integer NOT NULL,
	"cells" jsonb NOT NULL,
	"email" text,
	"problems" jsonb,
	"outcome" text,
	"kept_because" text,
	"user_id" uuid,
	"gift_id" uuid,
	"imported_at" timestamp with time zone,
	"emailed_at" timestamp with time zone,
	CONSTRAINT "member_import_row_import_id_row_no_pk" PRIMARY KEY("import_id","row_no"),
	CONSTRAINT "member_import_row_outcome_known" CHECK ("member_import_row"."outcome" in ('imported', 'refused', 'undone', 'kept'))
);
--> statement-breakpoint
ALTER TABLE "member_import_row" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "imported_account" ADD CONSTRAINT "imported_account_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_import" ADD CONSTRAINT "member_import_started_by_staff_id_profiles_id_fk" FOREIGN KEY ("started_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD CONSTRAINT "member_import_row_import_id_member_import_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."member_import"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD CONSTRAINT "member_import_row_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "member_import_one_open" ON "member_import" USING btree ((true)) WHERE "member_import"."status" in ('uploading', 'checking', 'checked', 'importing', 'undoing');--> statement-breakpoint
CREATE INDEX "member_import_row_email" ON "member_import_row" USING btree ("email");--> statement-breakpoint
CREATE INDEX "member_import_row_user" ON "member_import_row" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "member_import_row_gift" ON "member_import_row" USING btree ("gift_id") WHERE "member_import_row"."gift_id" is not null;--> statement-breakpoint
CREATE INDEX "member_import_row_problems" ON "member_import_row" USING btree ("import_id","row_no") WHERE "member_import_row"."problems" <> '[]'::jsonb;--> statement-breakpoint
CREATE POLICY "own_rows" ON "imported_account" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);