ALTER TABLE "member_import" DROP CONSTRAINT "member_import_status_known";--> statement-breakpoint
DROP INDEX "member_import_one_open";--> statement-breakpoint
ALTER TABLE "member_import" ADD COLUMN "source" text DEFAULT 'file' NOT NULL;--> statement-breakpoint
ALTER TABLE "member_import" ADD COLUMN "prices" jsonb;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD COLUMN "stripe_subscription_id" text;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD COLUMN "stripe_customer_id" text;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD COLUMN "found" jsonb;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD COLUMN "remarks" jsonb;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD COLUMN "becomes" text;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD COLUMN "made_customer_id" uuid;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD COLUMN "named_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "member_import_row_stripe" ON "member_import_row" USING btree ("import_id","stripe_customer_id") WHERE "member_import_row"."stripe_customer_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "member_import_one_open" ON "member_import" USING btree ((true)) WHERE "member_import"."status" in ('reading', 'uploading', 'checking', 'checked', 'importing', 'undoing');--> statement-breakpoint
ALTER TABLE "member_import" ADD CONSTRAINT "member_import_source_known" CHECK ("member_import"."source" in ('file', 'stripe'));--> statement-breakpoint
ALTER TABLE "member_import" ADD CONSTRAINT "member_import_status_known" CHECK ("member_import"."status" in ('reading', 'uploading', 'checking', 'checked', 'importing', 'imported', 'undoing', 'undone'));