CREATE TABLE "billing_refund" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"stripe_invoice_id" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"reason" text,
	"asked_by_staff_id" uuid NOT NULL,
	"status" text NOT NULL,
	"refunded_cents" integer,
	"obstacle" text,
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "billing_refund_amount" CHECK ("billing_refund"."amount_cents" > 0),
	CONSTRAINT "billing_refund_status_known" CHECK ("billing_refund"."status" in ('asked', 'done', 'refused', 'failed')),
	CONSTRAINT "billing_refund_settled" CHECK (("billing_refund"."status" = 'asked') = ("billing_refund"."settled_at" is null) and ("billing_refund"."status" = 'done') = ("billing_refund"."refunded_cents" is not null)
        and ("billing_refund"."status" = 'refused') = ("billing_refund"."obstacle" is not null))
);
--> statement-breakpoint
ALTER TABLE "billing_refund" ADD CONSTRAINT "billing_refund_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_refund" ADD CONSTRAINT "billing_refund_asked_by_staff_id_profiles_id_fk" FOREIGN KEY ("asked_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_refund" ADD CONSTRAINT "billing_refund_of_payment" FOREIGN KEY ("stripe_invoice_id") REFERENCES "public"."billing_payment"("stripe_invoice_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "billing_refund_user" ON "billing_refund" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "billing_refund_one_asked" ON "billing_refund" USING btree ("stripe_invoice_id") WHERE "billing_refund"."status" = 'asked';--> statement-breakpoint
CREATE INDEX "billing_refund_open" ON "billing_refund" USING btree ("created_at") WHERE "billing_refund"."status" = 'asked';