ALTER TABLE "checkout_attempt" DROP CONSTRAINT "checkout_attempt_months";--> statement-breakpoint
ALTER TABLE "dues" DROP CONSTRAINT "dues_kind";--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD COLUMN "from_tier" text;--> statement-breakpoint
ALTER TABLE "dues" ADD COLUMN "tier" text;--> statement-breakpoint
ALTER TABLE "dues" ADD COLUMN "from_tier" text;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_from_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("from_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_from_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("from_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_from_tier" CHECK (("checkout_attempt"."from_tier" is not null) = coalesce("checkout_attempt"."months" < 12, false) and ("checkout_attempt"."from_tier" is null or "checkout_attempt"."application_id" is null));--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_months" CHECK ("checkout_attempt"."months" between 1 and 12);--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_from_tier" CHECK (("dues"."kind" = 'difference') = ("dues"."from_tier" is not null));--> statement-breakpoint
ALTER TABLE "dues" ADD CONSTRAINT "dues_kind" CHECK ("dues"."kind" in ('payment', 'difference') and "dues"."months" > 0 and "dues"."paid_from" < "dues"."paid_until"
        or "dues"."kind" = 'start' and "dues"."months" = 0 and "dues"."amount_cents" = 0 and "dues"."paid_from" = "dues"."paid_until"
        or "dues"."kind" = 'pause' and "dues"."months" <> 0 and "dues"."amount_cents" = 0 and "dues"."paid_from" <= "dues"."paid_until");