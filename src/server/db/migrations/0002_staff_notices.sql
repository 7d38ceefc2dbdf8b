CREATE TABLE "staff_notice" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"user_id" uuid,
	"facts" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	"settled_by_staff_id" uuid,
	CONSTRAINT "staff_notice_cause_unique" UNIQUE("cause"),
	CONSTRAINT "staff_notice_kind_known" CHECK ("staff_notice"."kind" in ('payment_unmatched', 'reversal_impossible', 'customer_missing')),
	CONSTRAINT "staff_notice_settled" CHECK (num_nulls("staff_notice"."settled_at", "staff_notice"."settled_by_staff_id") in (0, 2))
);
--> statement-breakpoint
ALTER TABLE "staff_notice" ADD CONSTRAINT "staff_notice_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_notice" ADD CONSTRAINT "staff_notice_settled_by_staff_id_profiles_id_fk" FOREIGN KEY ("settled_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "staff_notice_open" ON "staff_notice" USING btree ("created_at") WHERE "staff_notice"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "staff_notice_user" ON "staff_notice" USING btree ("user_id");