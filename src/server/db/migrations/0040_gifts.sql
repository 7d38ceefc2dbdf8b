CREATE TABLE "gift_membership" (
	"id" uuid PRIMARY KEY NOT NULL,
	"buyer_id" uuid,
	"tier" text NOT NULL,
	"months" smallint NOT NULL,
	"monthly_price_cents" integer NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"tax_behavior" text NOT NULL,
	"from_name" text,
	"to_name" text,
	"message" text,
	"delivery" text NOT NULL,
	"recipient_email" text,
	"send_on" date,
	"sent_at" timestamp with time zone,
	"status" text NOT NULL,
	"code_hash" text,
	"code_key_id" text,
	"code_version" integer DEFAULT 0 NOT NULL,
	"stripe_session_id" text,
	"url" text,
	"stripe_payment_intent_id" text,
	"paid_cents" integer,
	"refunded_cents" integer DEFAULT 0 NOT NULL,
	"disputed" boolean DEFAULT false NOT NULL,
	"refunded_by_staff_id" uuid,
	"membership_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"paid_at" timestamp with time zone,
	"redeemed_at" timestamp with time zone,
	"refund_asked_at" timestamp with time zone,
	"refunded_at" timestamp with time zone,
	"sync_version" integer DEFAULT 0 NOT NULL,
	"tried_at" timestamp with time zone,
	CONSTRAINT "gift_membership_code_hash_unique" UNIQUE("code_hash"),
	CONSTRAINT "gift_membership_stripe_session_id_unique" UNIQUE("stripe_session_id"),
	CONSTRAINT "gift_membership_stripe_payment_intent_id_unique" UNIQUE("stripe_payment_intent_id"),
	CONSTRAINT "gift_membership_membership_id_unique" UNIQUE("membership_id"),
	CONSTRAINT "gift_membership_months" CHECK ("gift_membership"."months" in (3, 6, 12)),
	CONSTRAINT "gift_membership_status_known" CHECK ("gift_membership"."status" in ('ordered', 'paid', 'redeemed', 'refunding', 'refunded', 'kept')),
	CONSTRAINT "gift_membership_amount" CHECK ("gift_membership"."amount_cents" = "gift_membership"."monthly_price_cents" * "gift_membership"."months"),
	CONSTRAINT "gift_membership_delivery" CHECK ("gift_membership"."delivery" in ('card', 'email') and ("gift_membership"."delivery" = 'email') = ("gift_membership"."send_on" is not null)),
	CONSTRAINT "gift_membership_paid" CHECK (("gift_membership"."status" = 'ordered') = ("gift_membership"."paid_at" is null) and ("gift_membership"."paid_at" is null) = ("gift_membership"."paid_cents" is null)
        and ("gift_membership"."paid_at" is null) = ("gift_membership"."stripe_payment_intent_id" is null)),
	CONSTRAINT "gift_membership_redeemed" CHECK (("gift_membership"."status" = 'redeemed') = ("gift_membership"."redeemed_at" is not null)
        and ("gift_membership"."status" = 'redeemed') = ("gift_membership"."membership_id" is not null)),
	CONSTRAINT "gift_membership_code" CHECK (("gift_membership"."status" = 'paid') or "gift_membership"."code_hash" is null or "gift_membership"."status" = 'redeemed'),
	CONSTRAINT "gift_membership_refunded" CHECK (("gift_membership"."status" = 'refunded') = ("gift_membership"."refunded_at" is not null))
);
--> statement-breakpoint
ALTER TABLE "gift_membership" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "consent" DROP CONSTRAINT "consent_what_known";--> statement-breakpoint
ALTER TABLE "membership_term" DROP CONSTRAINT "membership_term_standing_known";--> statement-breakpoint
ALTER TABLE "staff_notice" DROP CONSTRAINT "staff_notice_kind_known";--> statement-breakpoint
ALTER TABLE "memberships" ADD COLUMN "is_gift" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "gift_membership" ADD CONSTRAINT "gift_membership_buyer_id_profiles_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_membership" ADD CONSTRAINT "gift_membership_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_membership" ADD CONSTRAINT "gift_membership_refunded_by_staff_id_profiles_id_fk" FOREIGN KEY ("refunded_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_membership" ADD CONSTRAINT "gift_membership_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "gift_membership_one_ordered" ON "gift_membership" USING btree ("buyer_id") WHERE "gift_membership"."status" = 'ordered';--> statement-breakpoint
CREATE INDEX "gift_membership_of_buyer" ON "gift_membership" USING btree ("buyer_id","created_at");--> statement-breakpoint
CREATE INDEX "gift_membership_open" ON "gift_membership" USING btree ("created_at") WHERE "gift_membership"."status" in ('ordered', 'refunding');--> statement-breakpoint
CREATE INDEX "gift_membership_to_send" ON "gift_membership" USING btree ("send_on") WHERE "gift_membership"."status" = 'paid' and "gift_membership"."delivery" = 'email' and "gift_membership"."sent_at" is null;--> statement-breakpoint
ALTER TABLE "consent" ADD CONSTRAINT "consent_what_known" CHECK ("consent"."what" in ('account', 'subscription', 'household', 'gift'));--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_gift" CHECK (not "memberships"."is_gift" or "memberships"."ends_on" is not null);--> statement-breakpoint
ALTER TABLE "membership_term" ADD CONSTRAINT "membership_term_standing_known" CHECK ("membership_term"."standing" in ('venue', 'gift', 'renewing', 'ending', 'paused', 'overdue'));--> statement-breakpoint
ALTER TABLE "staff_notice" ADD CONSTRAINT "staff_notice_kind_known" CHECK ("staff_notice"."kind" in ('payment_unmatched', 'reversal_impossible', 'customer_missing', 'webhook_off', 'gift_reversed'));