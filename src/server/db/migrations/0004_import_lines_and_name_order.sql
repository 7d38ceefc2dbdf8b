ALTER TABLE "member_import" ADD COLUMN "name_order" text DEFAULT 'first_last' NOT NULL;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD COLUMN "line" integer;