ALTER TABLE "stripe_setup" DROP CONSTRAINT "stripe_setup_kind_known";--> statement-breakpoint
ALTER TABLE "stripe_setup" ADD COLUMN "refusal" text;--> statement-breakpoint
ALTER TABLE "stripe_setup" ADD CONSTRAINT "stripe_setup_kind_known" CHECK ("stripe_setup"."kind" in ('webhook_endpoint', 'portal_configuration', 'trial'));