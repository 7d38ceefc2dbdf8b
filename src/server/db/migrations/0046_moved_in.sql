ALTER TABLE "memberships" ADD COLUMN "counted_from" date;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD COLUMN "member_since_before" date;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_counted" CHECK ("memberships"."counted_from" >= "memberships"."start_date");