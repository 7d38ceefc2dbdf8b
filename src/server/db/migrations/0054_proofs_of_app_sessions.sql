ALTER TABLE "refresh_tokens" ADD COLUMN "first_factor_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD COLUMN "second_factor_at" timestamp with time zone;