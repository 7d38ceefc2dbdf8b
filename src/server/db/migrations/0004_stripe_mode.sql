CREATE TABLE "stripe_mode" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"mode" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "stripe_mode_only_row" CHECK ("stripe_mode"."only_row"),
	CONSTRAINT "stripe_mode_known" CHECK ("stripe_mode"."mode" in ('live', 'test', 'demo'))
);
--> statement-breakpoint
CREATE TABLE "stripe_setup" (
	"kind" text PRIMARY KEY NOT NULL,
	"request_id" uuid NOT NULL,
	"stripe_id" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "stripe_setup_kind_known" CHECK ("stripe_setup"."kind" in ('webhook_endpoint', 'portal_configuration'))
);
