-- Generated from src/server/db/schema, but for this extension (for the trigram index) and the tiers at the end.
CREATE EXTENSION IF NOT EXISTS pg_trgm;
--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_clients" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text NOT NULL,
	"secret_hash" text NOT NULL,
	"scopes" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "api_clients" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "email_change" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"new_email" text NOT NULL,
	"token_hash" text NOT NULL,
	"session_id" uuid,
	"device_hash" text,
	"asked_by_staff_id" uuid,
	"requested_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "email_change_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "email_change_asked" CHECK (num_nonnulls("email_change"."session_id", "email_change"."asked_by_staff_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "email_change" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "jwks" (
	"id" uuid PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"alg" text,
	"crv" text
);
--> statement-breakpoint
CREATE TABLE "known_devices" (
	"user_id" uuid NOT NULL,
	"device_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_sign_in_at" timestamp with time zone NOT NULL,
	CONSTRAINT "known_devices_user_id_device_hash_pk" PRIMARY KEY("user_id","device_hash")
);
--> statement-breakpoint
ALTER TABLE "known_devices" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"name" text,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" text,
	"aaguid" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
ALTER TABLE "passkeys" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "profiles" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"first_name" text NOT NULL,
	"last_name" text NOT NULL,
	"phone" text,
	"two_factor_enabled" boolean DEFAULT false NOT NULL,
	"erased_at" timestamp with time zone,
	"last_sign_in_at" timestamp with time zone,
	"retention_notice_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "profiles_email_unique" UNIQUE("email")
);
--> statement-breakpoint
ALTER TABLE "profiles" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"id" uuid PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"count" integer NOT NULL,
	"last_request" bigint NOT NULL,
	CONSTRAINT "rate_limits_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"session_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"generation" integer NOT NULL,
	"rotated_at" timestamp with time zone NOT NULL,
	"first_factor_at" timestamp with time zone,
	"second_factor_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "refresh_tokens" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"role" text,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"bar_device_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_unique" UNIQUE("token"),
	CONSTRAINT "sessions_one_on_a_tablet" UNIQUE("bar_device_id")
);
--> statement-breakpoint
ALTER TABLE "sessions" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "two_factors" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"verified" boolean DEFAULT false NOT NULL,
	"failed_verification_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	CONSTRAINT "two_factors_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "used_totp_codes" (
	"user_id" uuid NOT NULL,
	"code" text NOT NULL,
	"used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "used_totp_codes_user_id_code_pk" PRIMARY KEY("user_id","code")
);
--> statement-breakpoint
CREATE TABLE "user_roles" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "user_roles_role_known" CHECK ("user_roles"."role" in ('customer', 'staff'))
);
--> statement-breakpoint
CREATE TABLE "verifications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "verifications" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "billing_customer" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"stripe_customer_id" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"sync_version" integer DEFAULT 0 NOT NULL,
	"synced_at" timestamp with time zone,
	"tried_at" timestamp with time zone,
	"profile_sent_at" timestamp with time zone,
	CONSTRAINT "billing_customer_stripe_customer_id_unique" UNIQUE("stripe_customer_id")
);
--> statement-breakpoint
CREATE TABLE "billing_subscription" (
	"stripe_subscription_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"tier" text NOT NULL,
	"status" text NOT NULL,
	"cancel_at_period_end" boolean NOT NULL,
	"cancel_at" timestamp with time zone,
	"canceled_at" timestamp with time zone,
	"current_period_start" timestamp with time zone NOT NULL,
	"current_period_end" timestamp with time zone NOT NULL,
	"grace_until" timestamp with time zone,
	"paused_from" timestamp with time zone,
	"paused_until" timestamp with time zone,
	"access_until" timestamp with time zone,
	"amount_cents" integer NOT NULL,
	"add_ons_cents" integer DEFAULT 0 NOT NULL,
	"preview" jsonb,
	"currency" text NOT NULL,
	"tax_behavior" text DEFAULT 'unspecified' NOT NULL,
	"stripe_price_id" text NOT NULL,
	"stripe_schedule_id" text,
	"pending_tier" text,
	"pending_from" timestamp with time zone,
	"pending_amount_cents" integer,
	"approval_tier" text,
	"approval_until" timestamp with time zone,
	"payment_method_type" text,
	"card_wallet" text,
	"card_brand" text,
	"card_last4" text,
	"card_exp_month" integer,
	"card_exp_year" integer,
	"created_at" timestamp with time zone NOT NULL,
	"synced_at" timestamp with time zone NOT NULL,
	CONSTRAINT "billing_subscription_pending" CHECK (num_nulls("billing_subscription"."pending_tier", "billing_subscription"."pending_from", "billing_subscription"."pending_amount_cents") in (0, 3)),
	CONSTRAINT "billing_subscription_approval" CHECK (num_nulls("billing_subscription"."approval_tier", "billing_subscription"."approval_until") in (0, 2)),
	CONSTRAINT "billing_subscription_pause" CHECK ("billing_subscription"."paused_until" is null or "billing_subscription"."paused_until" > "billing_subscription"."paused_from"),
	CONSTRAINT "billing_subscription_period" CHECK ("billing_subscription"."current_period_start" < "billing_subscription"."current_period_end")
);
--> statement-breakpoint
ALTER TABLE "billing_subscription" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "checkout_attempt" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"application_id" uuid NOT NULL,
	"tier_name" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"stripe_session_id" text,
	"url" text,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"by_link" boolean DEFAULT false NOT NULL,
	"tried_at" timestamp with time zone,
	CONSTRAINT "checkout_attempt_stripe_session_id_unique" UNIQUE("stripe_session_id"),
	CONSTRAINT "checkout_attempt_status_known" CHECK ("checkout_attempt"."status" in ('creating', 'open', 'completed', 'expired'))
);
--> statement-breakpoint
CREATE TABLE "stripe_event" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"stripe_customer_id" text,
	"stripe_payment_intent_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"processed_at" timestamp with time zone,
	"tried_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "tier_change" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"stripe_subscription_id" text NOT NULL,
	"from_price_id" text NOT NULL,
	"to_tier" text NOT NULL,
	"to_price_id" text NOT NULL,
	"kind" text NOT NULL,
	"prorated_at" timestamp with time zone NOT NULL,
	"charged_now_cents" integer NOT NULL,
	"status" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"asked_at" timestamp with time zone,
	CONSTRAINT "tier_change_status_known" CHECK ("tier_change"."status" in ('shown', 'asked', 'approval', 'done', 'refused'))
);
--> statement-breakpoint
CREATE TABLE "tier_price" (
	"stripe_price_id" text PRIMARY KEY NOT NULL,
	"stripe_product_id" text NOT NULL,
	"tier_name" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"tax_behavior" text DEFAULT 'unspecified' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"archived_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "billing_act" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	"cause" text NOT NULL,
	"state" text NOT NULL,
	"due" timestamp with time zone,
	"stripe_subscription_id" text,
	"membership_id" uuid,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"terms" jsonb NOT NULL,
	"asked_by" text NOT NULL,
	"asked_by_staff_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"settled_at" timestamp with time zone,
	CONSTRAINT "billing_act_kind_known" CHECK ("billing_act"."kind" in ('pause', 'end', 'price_move')),
	CONSTRAINT "billing_act_state_known" CHECK ("billing_act"."state" in ('asked', 'set', 'withdrawing', 'withdrawn', 'done', 'refused')),
	CONSTRAINT "billing_act_pause" CHECK ("billing_act"."kind" <> 'pause' or ("billing_act"."starts_at" < "billing_act"."ends_at" and ("billing_act"."terms" ->> 'months')::integer between 1 and 3)),
	CONSTRAINT "billing_act_end" CHECK ("billing_act"."kind" <> 'end' or (num_nulls("billing_act"."membership_id", "billing_act"."ends_at", "billing_act"."asked_by_staff_id") = 0
        and "billing_act"."terms" ->> 'ends' in ('period_end', 'now'))),
	CONSTRAINT "billing_act_price_move" CHECK ("billing_act"."kind" <> 'price_move' or num_nulls("billing_act"."starts_at", "billing_act"."stripe_subscription_id") = 0)
);
--> statement-breakpoint
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
CREATE TABLE "billing_payment" (
	"stripe_invoice_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"stripe_subscription_id" text NOT NULL,
	"status" text NOT NULL,
	"amount_paid_cents" integer NOT NULL,
	"amount_refunded_cents" integer DEFAULT 0 NOT NULL,
	"unrefundable" text,
	"currency" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"stripe_dispute_id" text,
	"dispute_state" text,
	"dispute_cents" integer,
	"disputed_at" timestamp with time zone,
	"dispute_settled_at" timestamp with time zone,
	CONSTRAINT "billing_payment_dispute_known" CHECK ("billing_payment"."dispute_state" in ('open', 'won', 'lost')),
	CONSTRAINT "billing_payment_dispute" CHECK (num_nulls("billing_payment"."stripe_dispute_id", "billing_payment"."dispute_state", "billing_payment"."dispute_cents", "billing_payment"."disputed_at") in (0, 4)
          and ("billing_payment"."dispute_settled_at" is not null) = coalesce("billing_payment"."dispute_state" <> 'open', false))
);
--> statement-breakpoint
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
CREATE TABLE "billing_reversal" (
	"stripe_subscription_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"refund_from" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"done_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "celebration" (
	"customer_id" uuid NOT NULL,
	"occasion" text NOT NULL,
	"kind" text NOT NULL,
	"years" smallint,
	"day" date NOT NULL,
	"given_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "celebration_customer_id_occasion_pk" PRIMARY KEY("customer_id","occasion"),
	CONSTRAINT "celebration_given_id_unique" UNIQUE("given_id")
);
--> statement-breakpoint
ALTER TABLE "celebration" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "club_logo" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" text NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"plate" text,
	"content" "bytea" NOT NULL,
	"plated" "bytea",
	CONSTRAINT "club_logo_only_row" CHECK ("club_logo"."only_row"),
	CONSTRAINT "club_logo_size" CHECK (octet_length("club_logo"."content") <= 131072),
	CONSTRAINT "club_logo_plated_size" CHECK (octet_length("club_logo"."plated") <= 196608),
	CONSTRAINT "club_logo_plate" CHECK (("club_logo"."plate" IS NULL) = ("club_logo"."plated" IS NULL))
);
--> statement-breakpoint
CREATE TABLE "club_picture" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"version" text NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "club_picture_only_row" CHECK ("club_picture"."only_row"),
	CONSTRAINT "club_picture_size" CHECK (octet_length("club_picture"."content") <= 524288)
);
--> statement-breakpoint
CREATE TABLE "club_settings" (
	"only_row" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"overrides" jsonb NOT NULL,
	"version" integer NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "club_settings_only_row" CHECK ("club_settings"."only_row")
);
--> statement-breakpoint
CREATE TABLE "email_wording" (
	"kind" text PRIMARY KEY NOT NULL,
	"wording" jsonb NOT NULL,
	"version" integer NOT NULL,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "personal_email" (
	"id" uuid PRIMARY KEY NOT NULL,
	"request_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"sent_by_staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "personal_email_request_id_unique" UNIQUE("request_id")
);
--> statement-breakpoint
CREATE TABLE "personal_email_answer" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"wanted" boolean NOT NULL,
	"place" text NOT NULL,
	"answered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "personal_email_answer_place_known" CHECK ("personal_email_answer"."place" in ('dashboard', 'account'))
);
--> statement-breakpoint
ALTER TABLE "personal_email_answer" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "consent" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"what" text NOT NULL,
	"act_id" uuid NOT NULL,
	"text_version" text NOT NULL,
	"text" text NOT NULL,
	"terms_url" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "consent_what_known" CHECK ("consent"."what" in ('account', 'subscription', 'household', 'gift'))
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"cause" text NOT NULL,
	"user_id" uuid,
	"recipient" text,
	"device_id" uuid,
	"endpoint_id" uuid,
	"event_id" uuid,
	"pass_id" uuid,
	"subject" text,
	"payload" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"first_attempt_at" timestamp with time zone,
	"claim" uuid,
	"outcome" text,
	"reason" text,
	"finished_at" timestamp with time zone,
	CONSTRAINT "deliveries_finished" CHECK (num_nulls("deliveries"."outcome", "deliveries"."finished_at") in (0, 2)),
	CONSTRAINT "deliveries_target" CHECK (case "deliveries"."kind" when 'webhook' then "deliveries"."endpoint_id" is not null and "deliveries"."event_id" is not null
           when 'wallet' then "deliveries"."pass_id" is not null else "deliveries"."finished_at" is not null or "deliveries"."payload" is not null end)
);
--> statement-breakpoint
CREATE TABLE "webhook_try" (
	"id" uuid PRIMARY KEY NOT NULL,
	"delivery_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"status" integer,
	"duration_ms" integer NOT NULL,
	"error" text,
	"answer" text
);
--> statement-breakpoint
CREATE TABLE "schema_functions" (
	"name" text PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"applied_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "given_glasses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"request_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"glasses" integer NOT NULL,
	"reason" text,
	"given_by_staff_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "given_glasses_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "given_glasses_giver" CHECK (("given_glasses"."kind" = 'celebration') = ("given_glasses"."given_by_staff_id" is null)),
	CONSTRAINT "given_glasses_glasses" CHECK ("given_glasses"."glasses" > 0 or "given_glasses"."kind" = 'correction' and "given_glasses"."glasses" < 0)
);
--> statement-breakpoint
ALTER TABLE "given_glasses" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "glass_change" (
	"id" uuid PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"glasses" integer DEFAULT 0 NOT NULL,
	"rollable" integer DEFAULT 0 NOT NULL,
	"valid_until" timestamp with time zone,
	"to_tier" text,
	"prorated_at" timestamp with time zone,
	"tier_change_id" uuid,
	"given_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "glass_change_tier_change_id_unique" UNIQUE("tier_change_id"),
	CONSTRAINT "glass_change_given_kind" CHECK (("glass_change"."kind" = 'correction') = ("glass_change"."given_id" is not null)),
	CONSTRAINT "glass_change_tier_kind" CHECK ("glass_change"."kind" <> 'tier_change' or "glass_change"."prorated_at" is not null and "glass_change"."to_tier" is not null)
);
--> statement-breakpoint
ALTER TABLE "glass_change" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "glass_debit" (
	"grant_id" uuid NOT NULL,
	"glasses" integer NOT NULL,
	"pour_id" uuid,
	"guest_glass_id" uuid,
	"owed_grant_id" uuid,
	CONSTRAINT "glass_debit_glasses" CHECK ("glass_debit"."glasses" > 0),
	CONSTRAINT "glass_debit_cause" CHECK (num_nonnulls("glass_debit"."pour_id", "glass_debit"."guest_glass_id", "glass_debit"."owed_grant_id") = 1)
);
--> statement-breakpoint
ALTER TABLE "glass_debit" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "glass_grant" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"membership_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"tier" text NOT NULL,
	"glasses" integer NOT NULL,
	"rollable" integer DEFAULT 0 NOT NULL,
	"period" date NOT NULL,
	"valid_from" timestamp with time zone NOT NULL,
	"valid_until" timestamp with time zone NOT NULL,
	"grace_days" smallint,
	"given_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "glass_grant_given_id_unique" UNIQUE("given_id"),
	CONSTRAINT "glass_grant_kind" CHECK (("glass_grant"."kind" in ('given', 'correction', 'celebration')) = ("glass_grant"."given_id" is not null)),
	CONSTRAINT "glass_grant_glasses" CHECK ("glass_grant"."glasses" > 0 or "glass_grant"."kind" in ('period', 'advance') and "glass_grant"."glasses" = 0),
	CONSTRAINT "glass_grant_rollable" CHECK ("glass_grant"."rollable" between 0 and 100),
	CONSTRAINT "glass_grant_length" CHECK ("glass_grant"."valid_from" < "glass_grant"."valid_until"),
	CONSTRAINT "glass_grant_grace" CHECK ("glass_grant"."grace_days" between 1 and 27)
);
--> statement-breakpoint
ALTER TABLE "glass_grant" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "tier_rollover" (
	"tier_name" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"glasses" smallint NOT NULL,
	CONSTRAINT "tier_rollover_tier_name_since_pk" PRIMARY KEY("tier_name","since"),
	CONSTRAINT "tier_rollover_glasses" CHECK ("tier_rollover"."glasses" between 0 and 100)
);
--> statement-breakpoint
CREATE TABLE "imported_account" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"imported_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "imported_account" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "member_import" (
	"id" uuid PRIMARY KEY NOT NULL,
	"file_name" text,
	"source" text DEFAULT 'file' NOT NULL,
	"status" text NOT NULL,
	"columns" jsonb NOT NULL,
	"mapping" jsonb NOT NULL,
	"tier_names" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"date_order" text NOT NULL,
	"total_rows" integer DEFAULT 0 NOT NULL,
	"done_rows" integer DEFAULT 0 NOT NULL,
	"ready_rows" integer DEFAULT 0 NOT NULL,
	"venue_rows" integer DEFAULT 0 NOT NULL,
	"imported_rows" integer DEFAULT 0 NOT NULL,
	"kept_rows" integer DEFAULT 0 NOT NULL,
	"prices" jsonb,
	"new_tags" jsonb NOT NULL,
	"started_by_staff_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"rows_deleted_at" timestamp with time zone,
	"emails_wanted" boolean DEFAULT false NOT NULL,
	"emailed_rows" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "member_import_status_known" CHECK ("member_import"."status" in ('reading', 'uploading', 'checking', 'checked', 'importing', 'imported', 'undoing', 'undone')),
	CONSTRAINT "member_import_source_known" CHECK ("member_import"."source" in ('file', 'stripe'))
);
--> statement-breakpoint
ALTER TABLE "member_import" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "member_import_row" (
	"import_id" uuid NOT NULL,
	"row_no" integer NOT NULL,
	"cells" jsonb NOT NULL,
	"email" text,
	"problems" jsonb,
	"stripe_subscription_id" text,
	"stripe_customer_id" text,
	"found" jsonb,
	"remarks" jsonb,
	"becomes" text,
	"made_customer_id" uuid,
	"member_since_before" date,
	"named_at" timestamp with time zone,
	"outcome" text,
	"kept_because" text,
	"user_id" uuid,
	"given_id" uuid,
	"imported_at" timestamp with time zone,
	"emailed_at" timestamp with time zone,
	CONSTRAINT "member_import_row_import_id_row_no_pk" PRIMARY KEY("import_id","row_no"),
	CONSTRAINT "member_import_row_outcome_known" CHECK ("member_import_row"."outcome" in ('imported', 'refused', 'undone', 'kept'))
);
--> statement-breakpoint
ALTER TABLE "member_import_row" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "customers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"tier" text NOT NULL,
	"status" text NOT NULL,
	"member_since" date NOT NULL,
	"total_pours_lifetime" integer DEFAULT 0 NOT NULL,
	"activation_key" text,
	"last_activity" timestamp with time zone,
	"signed_up_by_staff_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "customers_status_known" CHECK ("customers"."status" in ('active', 'inactive')),
	CONSTRAINT "customers_lifetime" CHECK ("customers"."total_pours_lifetime" >= 0)
);
--> statement-breakpoint
ALTER TABLE "customers" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "member_taste" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"wine_knowledge" smallint NOT NULL,
	"drinking_frequency" smallint NOT NULL,
	"red_wine_preference" smallint NOT NULL,
	"white_wine_preference" smallint NOT NULL,
	"adventurousness" smallint NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "member_taste_ratings" CHECK (wine_knowledge between 1 and 10 and drinking_frequency between 1 and 10 and red_wine_preference between 1 and 10 and white_wine_preference between 1 and 10 and adventurousness between 1 and 10)
);
--> statement-breakpoint
ALTER TABLE "member_taste" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "membership_applications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"status" text NOT NULL,
	"is_complete" boolean DEFAULT false NOT NULL,
	"selected_tier" text,
	"current_step" smallint DEFAULT 1 NOT NULL,
	"preferences" jsonb,
	"rated" jsonb,
	"stripe_session_id" text,
	"notes" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"reviewed_at" timestamp with time zone,
	"reviewed_by_staff_id" uuid,
	CONSTRAINT "applications_status_known" CHECK ("membership_applications"."status" in ('pending', 'approved', 'rejected')),
	CONSTRAINT "applications_step" CHECK ("membership_applications"."current_step" between 1 and 2),
	CONSTRAINT "applications_ratings" CHECK (coalesce((preferences->>'wine_knowledge')::numeric between 1 and 10, true) and coalesce((preferences->>'drinking_frequency')::numeric between 1 and 10, true) and coalesce((preferences->>'red_wine_preference')::numeric between 1 and 10, true) and coalesce((preferences->>'white_wine_preference')::numeric between 1 and 10, true) and coalesce((preferences->>'adventurousness')::numeric between 1 and 10, true))
);
--> statement-breakpoint
ALTER TABLE "membership_applications" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "memberships" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"tier" text NOT NULL,
	"start_date" date NOT NULL,
	"end_date" date,
	"began_at" timestamp with time zone,
	"counted_from" date,
	"ends_on" date,
	"is_gift" boolean DEFAULT false NOT NULL,
	"status" text NOT NULL,
	"monthly_price_cents" integer NOT NULL,
	"recorded_by_staff_id" uuid,
	"toast_reference_number" text,
	"stripe_subscription_id" text,
	CONSTRAINT "memberships_stripe_subscription_id_unique" UNIQUE("stripe_subscription_id"),
	CONSTRAINT "memberships_status_known" CHECK ("memberships"."status" in ('active', 'ended')),
	CONSTRAINT "memberships_ends_at_venue" CHECK ("memberships"."ends_on" is null or "memberships"."stripe_subscription_id" is null),
	CONSTRAINT "memberships_counted" CHECK ("memberships"."counted_from" >= "memberships"."start_date"),
	CONSTRAINT "memberships_gift" CHECK (not "memberships"."is_gift" or "memberships"."ends_on" is not null),
	CONSTRAINT "memberships_price" CHECK ("memberships"."monthly_price_cents" >= 0)
);
--> statement-breakpoint
ALTER TABLE "memberships" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "paper_card" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"proof_hash" text,
	"key_id" text,
	"issued_at" timestamp with time zone NOT NULL,
	"replaced_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "paper_card" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "pour_voids" (
	"pour_id" uuid PRIMARY KEY NOT NULL,
	"reason" text,
	"voided_by_staff_id" uuid NOT NULL,
	"bar_device_id" uuid,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "pour_voids" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "pours" (
	"id" uuid PRIMARY KEY NOT NULL,
	"request_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"quantity" integer NOT NULL,
	"location" text NOT NULL,
	"notes" text,
	"toast_reference_number" text NOT NULL,
	"status" text NOT NULL,
	"recorded_by_staff_id" uuid NOT NULL,
	"paper_card_id" uuid,
	"bar_device_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"wine_id" uuid,
	"bottle_id" uuid,
	"offered_water" boolean,
	"place" text,
	"place_name" text,
	"pool_id" uuid,
	CONSTRAINT "pours_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "pours_bottle_of_wine" CHECK ("pours"."bottle_id" is null or "pours"."wine_id" is not null),
	CONSTRAINT "pours_quantity" CHECK ("pours"."quantity" > 0),
	CONSTRAINT "pours_location_words" CHECK ("pours"."location" ~ '^[^[:space:][:cntrl:]]{1,60}$'),
	CONSTRAINT "pours_status_known" CHECK ("pours"."status" in ('redeemed'))
);
--> statement-breakpoint
ALTER TABLE "pours" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "tier_definitions" (
	"tier_name" text PRIMARY KEY NOT NULL,
	"display_name" text NOT NULL,
	"monthly_price_cents" integer NOT NULL,
	"monthly_pours" integer NOT NULL,
	"description" text NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"sort_order" integer DEFAULT 0 NOT NULL,
	"is_featured" boolean DEFAULT false NOT NULL,
	"people" smallint DEFAULT 1 NOT NULL,
	"guest_glasses" smallint DEFAULT 1 NOT NULL,
	CONSTRAINT "tier_definitions_price" CHECK ("tier_definitions"."monthly_price_cents" >= 0),
	CONSTRAINT "tier_definitions_pours" CHECK ("tier_definitions"."monthly_pours" >= 0),
	CONSTRAINT "tier_definitions_people" CHECK ("tier_definitions"."people" between 1 and 2),
	CONSTRAINT "tier_definitions_guest_glasses" CHECK ("tier_definitions"."guest_glasses" between 0 and 20)
);
--> statement-breakpoint
CREATE TABLE "member_photo" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"content" "bytea" NOT NULL,
	"set_at" timestamp with time zone NOT NULL,
	"set_by_staff_id" uuid,
	CONSTRAINT "member_photo_size" CHECK (octet_length("member_photo"."content") <= 65536)
);
--> statement-breakpoint
ALTER TABLE "member_photo" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "wine_picture" (
	"wine_id" uuid PRIMARY KEY NOT NULL,
	"version" text NOT NULL,
	"content" "bytea" NOT NULL,
	CONSTRAINT "wine_picture_size" CHECK (octet_length("wine_picture"."content") <= 65536)
);
--> statement-breakpoint
CREATE TABLE "push_device" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"session_id" uuid NOT NULL,
	"endpoint" text NOT NULL,
	"p256dh" text NOT NULL,
	"auth" text NOT NULL,
	"server_key" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "push_device_endpoint_unique" UNIQUE("endpoint")
);
--> statement-breakpoint
ALTER TABLE "push_device" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "member_about" (
	"customer_id" uuid PRIMARY KEY NOT NULL,
	"allergies" text,
	"birth_month" smallint,
	"birth_day" smallint,
	"birth_year" smallint,
	"changed_at" timestamp with time zone NOT NULL,
	"changed_by_staff_id" uuid NOT NULL,
	CONSTRAINT "member_about_birthday" CHECK (num_nulls("member_about"."birth_month", "member_about"."birth_day") in (0, 2)),
	CONSTRAINT "member_about_month" CHECK ("member_about"."birth_month" between 1 and 12),
	CONSTRAINT "member_about_day" CHECK ("member_about"."birth_day" between 1 and 31)
);
--> statement-breakpoint
CREATE TABLE "member_note" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"removed_at" timestamp with time zone,
	"removed_by_staff_id" uuid,
	CONSTRAINT "member_note_removed" CHECK (num_nulls("member_note"."removed_at", "member_note"."removed_by_staff_id") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "member_note_version" (
	"note_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"body" text NOT NULL,
	"written_by_staff_id" uuid NOT NULL,
	"written_at" timestamp with time zone NOT NULL,
	CONSTRAINT "member_note_version_note_id_version_pk" PRIMARY KEY("note_id","version")
);
--> statement-breakpoint
CREATE TABLE "member_tag" (
	"customer_id" uuid NOT NULL,
	"tag_id" uuid NOT NULL,
	"added_by_staff_id" uuid NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	CONSTRAINT "member_tag_customer_id_tag_id_pk" PRIMARY KEY("customer_id","tag_id")
);
--> statement-breakpoint
CREATE TABLE "tag" (
	"id" uuid PRIMARY KEY NOT NULL,
	"label" text NOT NULL,
	"key" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "tag_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "closed_day" (
	"day" date PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leaving_reason" (
	"membership_id" uuid PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "leaving_reason_known" CHECK ("leaving_reason"."reason" in ('price', 'seldom_here', 'moving', 'wines', 'service', 'other'))
);
--> statement-breakpoint
CREATE TABLE "membership_term" (
	"membership_id" uuid NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"tier" text NOT NULL,
	"monthly_price_cents" integer NOT NULL,
	"standing" text NOT NULL,
	CONSTRAINT "membership_term_membership_id_since_pk" PRIMARY KEY("membership_id","since"),
	CONSTRAINT "membership_term_standing_known" CHECK ("membership_term"."standing" in ('venue', 'gift', 'renewing', 'ending', 'paused', 'overdue'))
);
--> statement-breakpoint
CREATE TABLE "pour_summary" (
	"day" date NOT NULL,
	"hour" smallint NOT NULL,
	"location" text NOT NULL,
	"staff_id" uuid NOT NULL,
	"pours" integer NOT NULL,
	"glasses" integer NOT NULL,
	CONSTRAINT "pour_summary_day_hour_location_staff_id_pk" PRIMARY KEY("day","hour","location","staff_id")
);
--> statement-breakpoint
CREATE TABLE "unused_summary" (
	"day" date NOT NULL,
	"tier" text NOT NULL,
	"periods" integer NOT NULL,
	"given" integer NOT NULL,
	"unused" integer NOT NULL,
	CONSTRAINT "unused_summary_day_tier_pk" PRIMARY KEY("day","tier")
);
--> statement-breakpoint
CREATE TABLE "application_count" (
	"status" text NOT NULL,
	"tier" text NOT NULL,
	"applications" integer NOT NULL,
	CONSTRAINT "application_count_status_tier_pk" PRIMARY KEY("status","tier")
);
--> statement-breakpoint
CREATE TABLE "member_directory" (
	"customer_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"sort_name" text NOT NULL,
	"tier" text NOT NULL,
	"status" text NOT NULL,
	"member_since" date NOT NULL,
	"stripe_status" text,
	"grace_until" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"paused_from" timestamp with time zone,
	"paused_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "member_visit" (
	"customer_id" uuid PRIMARY KEY NOT NULL,
	"last_visit" timestamp with time zone NOT NULL,
	"visits_zone" text,
	"visits" integer,
	"first_visit" date
);
--> statement-breakpoint
CREATE TABLE "profile_search" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"search_text" text NOT NULL,
	"customer_id" uuid,
	"member_since" date
);
--> statement-breakpoint
CREATE TABLE "guest_glass" (
	"id" uuid PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"pool_id" uuid NOT NULL,
	"token_hash" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"age_stated_at" timestamp with time zone,
	"age_stated" integer,
	"withdrawn_at" timestamp with time zone,
	"pour_id" uuid,
	CONSTRAINT "guest_glass_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "guest_glass_pour_id_unique" UNIQUE("pour_id"),
	CONSTRAINT "guest_glass_used_or_withdrawn" CHECK ("guest_glass"."pour_id" is null or "guest_glass"."withdrawn_at" is null),
	CONSTRAINT "guest_glass_age" CHECK (("guest_glass"."age_stated_at" is null) = ("guest_glass"."age_stated" is null))
);
--> statement-breakpoint
ALTER TABLE "guest_glass" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "household_invitation" (
	"holder_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"email" text,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "household_invitation_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "household_invitation" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "household_seat" (
	"id" uuid PRIMARY KEY NOT NULL,
	"holder_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"joined_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"ended_by" text,
	"told_at" timestamp with time zone,
	CONSTRAINT "household_seat_two" CHECK ("household_seat"."holder_id" <> "household_seat"."customer_id"),
	CONSTRAINT "household_seat_end" CHECK (("household_seat"."ended_at" is null) = ("household_seat"."ended_by" is null))
);
--> statement-breakpoint
ALTER TABLE "household_seat" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
	CONSTRAINT "staff_notice_kind_known" CHECK ("staff_notice"."kind" in ('payment_unmatched', 'reversal_impossible', 'customer_missing', 'webhook_off', 'gift_reversed', 'payment_disputed', 'paid_more_than_once')),
	CONSTRAINT "staff_notice_settled" CHECK (num_nulls("staff_notice"."settled_at", "staff_notice"."settled_by_staff_id") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "audit_entry" (
	"id" uuid PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor_id" uuid,
	"device" text NOT NULL,
	"act" text NOT NULL,
	"subject_id" uuid,
	"facts" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "audit_entry" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_invitation" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"permissions" jsonb NOT NULL,
	"token_hash" text NOT NULL,
	"invited_by_staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "staff_invitation_email_unique" UNIQUE("email"),
	CONSTRAINT "staff_invitation_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "staff_invitation" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_permission" (
	"user_id" uuid NOT NULL,
	"permission" text NOT NULL,
	"given_at" timestamp with time zone NOT NULL,
	"given_by_staff_id" uuid,
	CONSTRAINT "staff_permission_user_id_permission_pk" PRIMARY KEY("user_id","permission"),
	CONSTRAINT "staff_permission_known" CHECK ("staff_permission"."permission" in ('manage_members', 'manage_money', 'manage_staff', 'see_reports'))
);
--> statement-breakpoint
ALTER TABLE "staff_permission" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "bar_device" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"token_hash" text NOT NULL,
	"idle_minutes" integer NOT NULL,
	"opened_by_staff_id" uuid NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "bar_device_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "bar_device" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "staff_pin" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"pin_hash" text NOT NULL,
	"set_at" timestamp with time zone NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "staff_pin" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "payment_link" (
	"application_id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token_hash" text NOT NULL,
	"browser_hash" text,
	"created_by_staff_id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"opened_at" timestamp with time zone,
	"continued_at" timestamp with time zone,
	CONSTRAINT "payment_link_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
ALTER TABLE "payment_link" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "stripe_key_failure" (
	"key" text PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"failed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
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
	"sealed_secret" text,
	"refusal" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "stripe_setup_kind_known" CHECK ("stripe_setup"."kind" in ('webhook_endpoint', 'portal_configuration', 'trial'))
);
--> statement-breakpoint
CREATE TABLE "profile_summary" (
	"key" text PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"summary" text,
	"asked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "scheduled_task" (
	"name" text PRIMARY KEY NOT NULL,
	"began_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "system_alert" (
	"cause" text PRIMARY KEY NOT NULL,
	"began_at" timestamp with time zone NOT NULL,
	"seen_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "wallet_device" (
	"pass_id" uuid NOT NULL,
	"device_id" text NOT NULL,
	"push_token" text NOT NULL,
	"registered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wallet_device_pass_id_device_id_pk" PRIMARY KEY("pass_id","device_id")
);
--> statement-breakpoint
CREATE TABLE "wallet_pass" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"content_hash" text NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "wallet_pass" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "webhook_endpoint" (
	"id" uuid PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"description" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" text NOT NULL,
	"previous_secret" text,
	"previous_until" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"off_at" timestamp with time zone,
	"off_reason" text,
	"last_success_at" timestamp with time zone,
	CONSTRAINT "webhook_endpoint_off" CHECK (num_nulls("webhook_endpoint"."off_at", "webhook_endpoint"."off_reason") in (0, 2)),
	CONSTRAINT "webhook_endpoint_previous" CHECK (num_nulls("webhook_endpoint"."previous_secret", "webhook_endpoint"."previous_until") in (0, 2))
);
--> statement-breakpoint
CREATE TABLE "webhook_event" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"type" text NOT NULL,
	"customer_id" uuid,
	"data" jsonb NOT NULL,
	"happened_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "member_palate" (
	"customer_id" uuid PRIMARY KEY NOT NULL,
	"words" jsonb NOT NULL,
	"ratings_since" timestamp with time zone,
	"changed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "member_palate" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "pour_rating" (
	"pour_id" uuid PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"verdict" text,
	"comment" text,
	"answered_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pour_rating_verdict" CHECK (verdict in ('loved', 'fine', 'not_mine')),
	CONSTRAINT "pour_rating_comment" CHECK ("pour_rating"."comment" is null or "pour_rating"."verdict" is not null)
);
--> statement-breakpoint
ALTER TABLE "pour_rating" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "bottle" (
	"id" uuid PRIMARY KEY NOT NULL,
	"wine_id" uuid NOT NULL,
	"glasses" smallint NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "bottle_glasses" CHECK ("bottle"."glasses" > 0)
);
--> statement-breakpoint
CREATE TABLE "wine" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"producer" text DEFAULT '' NOT NULL,
	"region" text DEFAULT '' NOT NULL,
	"country" text DEFAULT '' NOT NULL,
	"grape" text DEFAULT '' NOT NULL,
	"vintage" smallint,
	"color" text NOT NULL,
	"sweetness" smallint NOT NULL,
	"body" smallint NOT NULL,
	"tannin" smallint NOT NULL,
	"acidity" smallint NOT NULL,
	"notes" text DEFAULT '' NOT NULL,
	"glasses_per_bottle" smallint NOT NULL,
	"cost_cents" integer,
	"state" text NOT NULL,
	"position" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "wine_color_known" CHECK ("wine"."color" in ('red', 'white', 'rose', 'orange', 'sparkling', 'fortified')),
	CONSTRAINT "wine_state_known" CHECK ("wine"."state" in ('open', 'coming', 'gone')),
	CONSTRAINT "wine_traits" CHECK (sweetness between 1 and 5 and body between 1 and 5 and tannin between 1 and 5 and acidity between 1 and 5),
	CONSTRAINT "wine_glasses" CHECK ("wine"."glasses_per_bottle" > 0),
	CONSTRAINT "wine_cost" CHECK ("wine"."cost_cents" >= 0)
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_clients" ADD CONSTRAINT "api_clients_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_change" ADD CONSTRAINT "email_change_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "email_change" ADD CONSTRAINT "email_change_asked_by_staff_id_profiles_id_fk" FOREIGN KEY ("asked_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "used_totp_codes" ADD CONSTRAINT "used_totp_codes_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_customer" ADD CONSTRAINT "billing_customer_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_pending_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("pending_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_approval_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("approval_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_application_id_membership_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."membership_applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_tier_name_tier_definitions_tier_name_fk" FOREIGN KEY ("tier_name") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tier_change" ADD CONSTRAINT "tier_change_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tier_change" ADD CONSTRAINT "tier_change_to_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("to_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tier_price" ADD CONSTRAINT "tier_price_tier_name_tier_definitions_tier_name_fk" FOREIGN KEY ("tier_name") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_act" ADD CONSTRAINT "billing_act_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_act" ADD CONSTRAINT "billing_act_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_act" ADD CONSTRAINT "billing_act_asked_by_staff_id_profiles_id_fk" FOREIGN KEY ("asked_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_membership" ADD CONSTRAINT "gift_membership_buyer_id_profiles_id_fk" FOREIGN KEY ("buyer_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_membership" ADD CONSTRAINT "gift_membership_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_membership" ADD CONSTRAINT "gift_membership_refunded_by_staff_id_profiles_id_fk" FOREIGN KEY ("refunded_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "gift_membership" ADD CONSTRAINT "gift_membership_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD CONSTRAINT "billing_payment_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_refund" ADD CONSTRAINT "billing_refund_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_refund" ADD CONSTRAINT "billing_refund_asked_by_staff_id_profiles_id_fk" FOREIGN KEY ("asked_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_refund" ADD CONSTRAINT "billing_refund_of_payment" FOREIGN KEY ("stripe_invoice_id") REFERENCES "public"."billing_payment"("stripe_invoice_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_reversal" ADD CONSTRAINT "billing_reversal_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "celebration" ADD CONSTRAINT "celebration_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "celebration" ADD CONSTRAINT "celebration_given_id_given_glasses_id_fk" FOREIGN KEY ("given_id") REFERENCES "public"."given_glasses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "personal_email" ADD CONSTRAINT "personal_email_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "personal_email" ADD CONSTRAINT "personal_email_sent_by_staff_id_profiles_id_fk" FOREIGN KEY ("sent_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "personal_email_answer" ADD CONSTRAINT "personal_email_answer_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "consent" ADD CONSTRAINT "consent_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_device_id_push_device_id_fk" FOREIGN KEY ("device_id") REFERENCES "public"."push_device"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_endpoint_id_webhook_endpoint_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoint"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_webhook_event_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."webhook_event"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_pass_id_wallet_pass_id_fk" FOREIGN KEY ("pass_id") REFERENCES "public"."wallet_pass"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_try" ADD CONSTRAINT "webhook_try_delivery_id_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "given_glasses" ADD CONSTRAINT "given_glasses_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "given_glasses" ADD CONSTRAINT "given_glasses_given_by_staff_id_profiles_id_fk" FOREIGN KEY ("given_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_change" ADD CONSTRAINT "glass_change_grant_id_glass_grant_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."glass_grant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_change" ADD CONSTRAINT "glass_change_to_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("to_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_change" ADD CONSTRAINT "glass_change_tier_change_id_tier_change_id_fk" FOREIGN KEY ("tier_change_id") REFERENCES "public"."tier_change"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_change" ADD CONSTRAINT "glass_change_given_id_given_glasses_id_fk" FOREIGN KEY ("given_id") REFERENCES "public"."given_glasses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_debit" ADD CONSTRAINT "glass_debit_grant_id_glass_grant_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."glass_grant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_debit" ADD CONSTRAINT "glass_debit_pour_id_pours_id_fk" FOREIGN KEY ("pour_id") REFERENCES "public"."pours"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_debit" ADD CONSTRAINT "glass_debit_guest_glass_id_guest_glass_id_fk" FOREIGN KEY ("guest_glass_id") REFERENCES "public"."guest_glass"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_debit" ADD CONSTRAINT "glass_debit_owed_grant_id_glass_grant_id_fk" FOREIGN KEY ("owed_grant_id") REFERENCES "public"."glass_grant"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_grant" ADD CONSTRAINT "glass_grant_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_grant" ADD CONSTRAINT "glass_grant_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_grant" ADD CONSTRAINT "glass_grant_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "glass_grant" ADD CONSTRAINT "glass_grant_given_id_given_glasses_id_fk" FOREIGN KEY ("given_id") REFERENCES "public"."given_glasses"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tier_rollover" ADD CONSTRAINT "tier_rollover_tier_name_tier_definitions_tier_name_fk" FOREIGN KEY ("tier_name") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imported_account" ADD CONSTRAINT "imported_account_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_import" ADD CONSTRAINT "member_import_started_by_staff_id_profiles_id_fk" FOREIGN KEY ("started_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD CONSTRAINT "member_import_row_import_id_member_import_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."member_import"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_import_row" ADD CONSTRAINT "member_import_row_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_signed_up_by_staff_id_profiles_id_fk" FOREIGN KEY ("signed_up_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_taste" ADD CONSTRAINT "member_taste_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_applications" ADD CONSTRAINT "membership_applications_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_applications" ADD CONSTRAINT "membership_applications_selected_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("selected_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_applications" ADD CONSTRAINT "membership_applications_reviewed_by_staff_id_profiles_id_fk" FOREIGN KEY ("reviewed_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_recorded_by_staff_id_profiles_id_fk" FOREIGN KEY ("recorded_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "paper_card" ADD CONSTRAINT "paper_card_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_voids" ADD CONSTRAINT "pour_voids_pour_id_pours_id_fk" FOREIGN KEY ("pour_id") REFERENCES "public"."pours"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_voids" ADD CONSTRAINT "pour_voids_voided_by_staff_id_profiles_id_fk" FOREIGN KEY ("voided_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_voids" ADD CONSTRAINT "pour_voids_bar_device_id_bar_device_id_fk" FOREIGN KEY ("bar_device_id") REFERENCES "public"."bar_device"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_recorded_by_staff_id_profiles_id_fk" FOREIGN KEY ("recorded_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_paper_card_id_paper_card_id_fk" FOREIGN KEY ("paper_card_id") REFERENCES "public"."paper_card"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_bar_device_id_bar_device_id_fk" FOREIGN KEY ("bar_device_id") REFERENCES "public"."bar_device"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_wine_id_wine_id_fk" FOREIGN KEY ("wine_id") REFERENCES "public"."wine"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_bottle_id_bottle_id_fk" FOREIGN KEY ("bottle_id") REFERENCES "public"."bottle"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_pool_id_customers_id_fk" FOREIGN KEY ("pool_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_photo" ADD CONSTRAINT "member_photo_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_photo" ADD CONSTRAINT "member_photo_set_by_staff_id_profiles_id_fk" FOREIGN KEY ("set_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wine_picture" ADD CONSTRAINT "wine_picture_wine_id_wine_id_fk" FOREIGN KEY ("wine_id") REFERENCES "public"."wine"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "push_device" ADD CONSTRAINT "push_device_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_about" ADD CONSTRAINT "member_about_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_about" ADD CONSTRAINT "member_about_changed_by_staff_id_profiles_id_fk" FOREIGN KEY ("changed_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_note" ADD CONSTRAINT "member_note_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_note" ADD CONSTRAINT "member_note_removed_by_staff_id_profiles_id_fk" FOREIGN KEY ("removed_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_note_version" ADD CONSTRAINT "member_note_version_note_id_member_note_id_fk" FOREIGN KEY ("note_id") REFERENCES "public"."member_note"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_note_version" ADD CONSTRAINT "member_note_version_written_by_staff_id_profiles_id_fk" FOREIGN KEY ("written_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_tag" ADD CONSTRAINT "member_tag_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_tag" ADD CONSTRAINT "member_tag_tag_id_tag_id_fk" FOREIGN KEY ("tag_id") REFERENCES "public"."tag"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_tag" ADD CONSTRAINT "member_tag_added_by_staff_id_profiles_id_fk" FOREIGN KEY ("added_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "leaving_reason" ADD CONSTRAINT "leaving_reason_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_term" ADD CONSTRAINT "membership_term_membership_id_memberships_id_fk" FOREIGN KEY ("membership_id") REFERENCES "public"."memberships"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_term" ADD CONSTRAINT "membership_term_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_summary" ADD CONSTRAINT "pour_summary_staff_id_profiles_id_fk" FOREIGN KEY ("staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "unused_summary" ADD CONSTRAINT "unused_summary_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_directory" ADD CONSTRAINT "member_directory_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_visit" ADD CONSTRAINT "member_visit_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profile_search" ADD CONSTRAINT "profile_search_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guest_glass" ADD CONSTRAINT "guest_glass_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guest_glass" ADD CONSTRAINT "guest_glass_pool_id_customers_id_fk" FOREIGN KEY ("pool_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "guest_glass" ADD CONSTRAINT "guest_glass_pour_id_pours_id_fk" FOREIGN KEY ("pour_id") REFERENCES "public"."pours"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "household_invitation" ADD CONSTRAINT "household_invitation_holder_id_customers_id_fk" FOREIGN KEY ("holder_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "household_seat" ADD CONSTRAINT "household_seat_holder_id_customers_id_fk" FOREIGN KEY ("holder_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "household_seat" ADD CONSTRAINT "household_seat_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_notice" ADD CONSTRAINT "staff_notice_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_notice" ADD CONSTRAINT "staff_notice_settled_by_staff_id_profiles_id_fk" FOREIGN KEY ("settled_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_invitation" ADD CONSTRAINT "staff_invitation_invited_by_staff_id_profiles_id_fk" FOREIGN KEY ("invited_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_permission" ADD CONSTRAINT "staff_permission_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_permission" ADD CONSTRAINT "staff_permission_given_by_staff_id_profiles_id_fk" FOREIGN KEY ("given_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bar_device" ADD CONSTRAINT "bar_device_opened_by_staff_id_profiles_id_fk" FOREIGN KEY ("opened_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "staff_pin" ADD CONSTRAINT "staff_pin_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_application_id_membership_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."membership_applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_link" ADD CONSTRAINT "payment_link_created_by_staff_id_profiles_id_fk" FOREIGN KEY ("created_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profile_summary" ADD CONSTRAINT "profile_summary_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_device" ADD CONSTRAINT "wallet_device_pass_id_wallet_pass_id_fk" FOREIGN KEY ("pass_id") REFERENCES "public"."wallet_pass"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_pass" ADD CONSTRAINT "wallet_pass_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_pass" ADD CONSTRAINT "wallet_pass_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_event" ADD CONSTRAINT "webhook_event_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_palate" ADD CONSTRAINT "member_palate_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_rating" ADD CONSTRAINT "pour_rating_pour_id_pours_id_fk" FOREIGN KEY ("pour_id") REFERENCES "public"."pours"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_rating" ADD CONSTRAINT "pour_rating_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bottle" ADD CONSTRAINT "bottle_wine_id_wine_id_fk" FOREIGN KEY ("wine_id") REFERENCES "public"."wine"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_user" ON "accounts" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_identity" ON "accounts" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_one_of_each" ON "accounts" USING btree ("user_id","provider_id");--> statement-breakpoint
CREATE INDEX "api_clients_user" ON "api_clients" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "known_devices_device" ON "known_devices" USING btree ("device_hash");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "billing_subscription_user" ON "billing_subscription" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "billing_subscription_due" ON "billing_subscription" USING btree ("current_period_end") WHERE "billing_subscription"."status" not in ('canceled', 'incomplete_expired');--> statement-breakpoint
CREATE INDEX "checkout_attempt_unsettled" ON "checkout_attempt" USING btree ("created_at") WHERE "checkout_attempt"."status" in ('creating', 'open');--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_attempt_one_open" ON "checkout_attempt" USING btree ("user_id") WHERE "checkout_attempt"."status" in ('creating', 'open');--> statement-breakpoint
CREATE INDEX "stripe_event_open" ON "stripe_event" USING btree ("received_at") WHERE "stripe_event"."processed_at" is null;--> statement-breakpoint
CREATE INDEX "stripe_event_received" ON "stripe_event" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "tier_change_user" ON "tier_change" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "tier_change_one_asked" ON "tier_change" USING btree ("user_id") WHERE "tier_change"."status" = 'asked';--> statement-breakpoint
CREATE UNIQUE INDEX "tier_price_of_amount" ON "tier_price" USING btree ("tier_name","amount_cents","currency","tax_behavior") WHERE "tier_price"."archived_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "billing_act_one_open" ON "billing_act" USING btree ("cause") WHERE "billing_act"."state" in ('asked', 'set') or ("billing_act"."state" = 'withdrawing' and "billing_act"."kind" <> 'price_move');--> statement-breakpoint
CREATE INDEX "billing_act_user" ON "billing_act" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "billing_act_due" ON "billing_act" USING btree ("due") WHERE "billing_act"."due" is not null;--> statement-breakpoint
CREATE INDEX "billing_act_membership" ON "billing_act" USING btree ("membership_id");--> statement-breakpoint
CREATE UNIQUE INDEX "gift_membership_one_ordered" ON "gift_membership" USING btree ("buyer_id") WHERE "gift_membership"."status" = 'ordered';--> statement-breakpoint
CREATE INDEX "gift_membership_of_buyer" ON "gift_membership" USING btree ("buyer_id","created_at");--> statement-breakpoint
CREATE INDEX "gift_membership_open" ON "gift_membership" USING btree ("created_at") WHERE "gift_membership"."status" in ('ordered', 'refunding');--> statement-breakpoint
CREATE INDEX "gift_membership_to_send" ON "gift_membership" USING btree ("send_on") WHERE "gift_membership"."status" = 'paid' and "gift_membership"."delivery" = 'email' and "gift_membership"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "billing_payment_user" ON "billing_payment" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "billing_refund_user" ON "billing_refund" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "billing_refund_one_asked" ON "billing_refund" USING btree ("stripe_invoice_id") WHERE "billing_refund"."status" = 'asked';--> statement-breakpoint
CREATE INDEX "billing_refund_open" ON "billing_refund" USING btree ("created_at") WHERE "billing_refund"."status" = 'asked';--> statement-breakpoint
CREATE INDEX "billing_reversal_user" ON "billing_reversal" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "billing_reversal_open" ON "billing_reversal" USING btree ("created_at") WHERE "billing_reversal"."done_at" is null;--> statement-breakpoint
CREATE INDEX "celebration_day" ON "celebration" USING btree ("customer_id","day");--> statement-breakpoint
CREATE INDEX "personal_email_customer" ON "personal_email" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "consent_once" ON "consent" USING btree ("user_id","what","act_id","text_version");--> statement-breakpoint
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries" USING btree ("kind","cause");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("kind","due_at" NULLS FIRST,"created_at","id") WHERE "deliveries"."outcome" is null;--> statement-breakpoint
CREATE INDEX "deliveries_due_to_endpoint" ON "deliveries" USING btree ("endpoint_id","due_at" NULLS FIRST,"created_at","id") WHERE "deliveries"."outcome" is null and "deliveries"."endpoint_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_of_endpoint" ON "deliveries" USING btree ("endpoint_id","created_at" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "deliveries"."endpoint_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_of_user" ON "deliveries" USING btree ("user_id","kind","finished_at");--> statement-breakpoint
CREATE INDEX "deliveries_of_device" ON "deliveries" USING btree ("device_id") WHERE "deliveries"."device_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_of_event" ON "deliveries" USING btree ("event_id") WHERE "deliveries"."event_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_of_pass" ON "deliveries" USING btree ("pass_id") WHERE "deliveries"."pass_id" is not null;--> statement-breakpoint
CREATE INDEX "deliveries_email_sent" ON "deliveries" USING btree ("finished_at") WHERE "deliveries"."kind" = 'email' and "deliveries"."outcome" = 'sent';--> statement-breakpoint
CREATE INDEX "deliveries_push_created" ON "deliveries" USING btree ("created_at") WHERE "deliveries"."kind" = 'push';--> statement-breakpoint
CREATE INDEX "webhook_try_delivery" ON "webhook_try" USING btree ("delivery_id","at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "given_glasses_given_by" ON "given_glasses" USING btree ("given_by_staff_id") WHERE "given_glasses"."given_by_staff_id" is not null;--> statement-breakpoint
CREATE INDEX "given_glasses_customer" ON "given_glasses" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "glass_change_grant" ON "glass_change" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "glass_change_end" ON "glass_change" USING btree ("valid_until") WHERE "glass_change"."valid_until" is not null;--> statement-breakpoint
CREATE INDEX "glass_change_given" ON "glass_change" USING btree ("given_id") WHERE "glass_change"."given_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "glass_change_paid_once" ON "glass_change" USING btree ("grant_id") WHERE "glass_change"."kind" = 'paid';--> statement-breakpoint
CREATE INDEX "glass_debit_grant" ON "glass_debit" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "glass_debit_pour" ON "glass_debit" USING btree ("pour_id") WHERE "glass_debit"."pour_id" is not null;--> statement-breakpoint
CREATE INDEX "glass_debit_guest" ON "glass_debit" USING btree ("guest_glass_id") WHERE "glass_debit"."guest_glass_id" is not null;--> statement-breakpoint
CREATE INDEX "glass_debit_owed" ON "glass_debit" USING btree ("owed_grant_id") WHERE "glass_debit"."owed_grant_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "glass_grant_once" ON "glass_grant" USING btree ("membership_id","period",("kind" = 'rollover')) WHERE "glass_grant"."given_id" is null;--> statement-breakpoint
CREATE INDEX "glass_grant_of_period" ON "glass_grant" USING btree ("membership_id","period");--> statement-breakpoint
CREATE INDEX "glass_grant_customer" ON "glass_grant" USING btree ("customer_id","valid_from");--> statement-breakpoint
CREATE INDEX "glass_grant_end" ON "glass_grant" USING btree ("valid_until");--> statement-breakpoint
CREATE UNIQUE INDEX "member_import_one_open" ON "member_import" USING btree ((true)) WHERE "member_import"."status" in ('reading', 'uploading', 'checking', 'checked', 'importing', 'undoing');--> statement-breakpoint
CREATE INDEX "member_import_row_email" ON "member_import_row" USING btree ("email");--> statement-breakpoint
CREATE INDEX "member_import_row_user" ON "member_import_row" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "member_import_row_stripe" ON "member_import_row" USING btree ("import_id","stripe_customer_id") WHERE "member_import_row"."stripe_customer_id" is not null;--> statement-breakpoint
CREATE INDEX "member_import_row_given" ON "member_import_row" USING btree ("given_id") WHERE "member_import_row"."given_id" is not null;--> statement-breakpoint
CREATE INDEX "member_import_row_problems" ON "member_import_row" USING btree ("import_id","row_no") WHERE "member_import_row"."problems" <> '[]'::jsonb;--> statement-breakpoint
CREATE INDEX "customers_signed_up_by" ON "customers" USING btree ("signed_up_by_staff_id") WHERE "customers"."signed_up_by_staff_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "customers_one_per_user" ON "customers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "customers_newest" ON "customers" USING btree ("member_since" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "customers"."status" = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "applications_one_pending" ON "membership_applications" USING btree ("user_id") WHERE "membership_applications"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "applications_newest" ON "membership_applications" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "applications_of_status" ON "membership_applications" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "applications_of_tier" ON "membership_applications" USING btree (coalesce("selected_tier", 'select'),"created_at","id");--> statement-breakpoint
CREATE INDEX "applications_of_status_and_tier" ON "membership_applications" USING btree ("status",coalesce("selected_tier", 'select'),"created_at","id");--> statement-breakpoint
CREATE INDEX "applications_of_user" ON "membership_applications" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "memberships_recorded_by" ON "memberships" USING btree ("recorded_by_staff_id") WHERE "memberships"."recorded_by_staff_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_one_active" ON "memberships" USING btree ("customer_id") WHERE "memberships"."status" = 'active';--> statement-breakpoint
CREATE INDEX "memberships_customer" ON "memberships" USING btree ("customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX "paper_card_one_current" ON "paper_card" USING btree ("customer_id","key_id") WHERE "paper_card"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "paper_card_customer" ON "paper_card" USING btree ("customer_id","issued_at");--> statement-breakpoint
CREATE INDEX "pours_of_customer" ON "pours" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "pours_of_pool" ON "pours" USING btree ("pool_id","created_at") WHERE "pours"."pool_id" is not null;--> statement-breakpoint
CREATE INDEX "pours_by_time" ON "pours" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "pours_of_bottle" ON "pours" USING btree ("bottle_id") WHERE "pours"."bottle_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "tier_definitions_one_featured" ON "tier_definitions" USING btree ("is_featured") WHERE "tier_definitions"."is_featured";--> statement-breakpoint
CREATE INDEX "push_device_user" ON "push_device" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "push_device_session" ON "push_device" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "member_about_changed_by" ON "member_about" USING btree ("changed_by_staff_id");--> statement-breakpoint
CREATE INDEX "member_note_removed_by" ON "member_note" USING btree ("removed_by_staff_id") WHERE "member_note"."removed_by_staff_id" is not null;--> statement-breakpoint
CREATE INDEX "member_note_customer" ON "member_note" USING btree ("customer_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "member_note_version_written_by" ON "member_note_version" USING btree ("written_by_staff_id");--> statement-breakpoint
CREATE INDEX "member_tag_added_by" ON "member_tag" USING btree ("added_by_staff_id");--> statement-breakpoint
CREATE INDEX "member_tag_of_tag" ON "member_tag" USING btree ("tag_id","customer_id");--> statement-breakpoint
CREATE INDEX "member_directory_name" ON "member_directory" USING btree ("sort_name" collate "C","customer_id");--> statement-breakpoint
CREATE INDEX "member_directory_joined" ON "member_directory" USING btree ("member_since","customer_id");--> statement-breakpoint
CREATE INDEX "member_directory_tier" ON "member_directory" USING btree ("tier","member_since");--> statement-breakpoint
CREATE INDEX "member_directory_stripe_status" ON "member_directory" USING btree ("stripe_status") WHERE "member_directory"."stripe_status" is not null;--> statement-breakpoint
CREATE INDEX "member_directory_ends" ON "member_directory" USING btree ("ends_at") WHERE "member_directory"."ends_at" is not null;--> statement-breakpoint
CREATE INDEX "member_directory_paused" ON "member_directory" USING btree ("paused_from") WHERE "member_directory"."paused_from" is not null;--> statement-breakpoint
CREATE INDEX "member_directory_user" ON "member_directory" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "member_visit_newest" ON "member_visit" USING btree ("last_visit","customer_id");--> statement-breakpoint
CREATE INDEX "profile_search_trigrams" ON "profile_search" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "guest_glass_pool" ON "guest_glass" USING btree ("pool_id","created_at");--> statement-breakpoint
CREATE INDEX "guest_glass_giver" ON "guest_glass" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "household_seat_one_of_partner" ON "household_seat" USING btree ("customer_id") WHERE "household_seat"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "household_seat_one_of_holder" ON "household_seat" USING btree ("holder_id") WHERE "household_seat"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "household_seat_holder" ON "household_seat" USING btree ("holder_id","joined_at");--> statement-breakpoint
CREATE INDEX "household_seat_untold" ON "household_seat" USING btree ("ended_at") WHERE "household_seat"."told_at" is null;--> statement-breakpoint
CREATE INDEX "staff_notice_open" ON "staff_notice" USING btree ("created_at") WHERE "staff_notice"."settled_at" is null;--> statement-breakpoint
CREATE INDEX "staff_notice_user" ON "staff_notice" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "audit_entry_at" ON "audit_entry" USING btree ("at" desc,"id" desc);--> statement-breakpoint
CREATE INDEX "audit_entry_actor" ON "audit_entry" USING btree ("actor_id","at" desc,"id" desc);--> statement-breakpoint
CREATE INDEX "audit_entry_subject" ON "audit_entry" USING btree ("subject_id","at" desc,"id" desc);--> statement-breakpoint
CREATE INDEX "profile_summary_customer" ON "profile_summary" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "wallet_device_passes" ON "wallet_device" USING btree ("device_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_pass_one_per_platform" ON "wallet_pass" USING btree ("user_id","platform");--> statement-breakpoint
CREATE INDEX "webhook_event_happened" ON "webhook_event" USING btree ("happened_at");--> statement-breakpoint
CREATE INDEX "webhook_event_customer" ON "webhook_event" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "pour_rating_of_customer" ON "pour_rating" USING btree ("customer_id","answered_at");--> statement-breakpoint
CREATE INDEX "pour_rating_not_mine" ON "pour_rating" USING btree ("answered_at") WHERE "pour_rating"."verdict" = 'not_mine';--> statement-breakpoint
CREATE INDEX "bottle_of_wine" ON "bottle" USING btree ("wine_id","opened_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bottle_one_open" ON "bottle" USING btree ("wine_id") WHERE "bottle"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "wine_position" ON "wine" USING btree ("position");--> statement-breakpoint
CREATE POLICY "own_rows" ON "api_clients" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "email_change" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "known_devices" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "passkeys" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "profiles" AS PERMISSIVE FOR ALL TO public USING (id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "refresh_tokens" AS PERMISSIVE FOR ALL TO public USING (EXISTS (SELECT 1 FROM sessions s WHERE s.id = session_id AND s.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "sessions" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "verifications" AS PERMISSIVE FOR ALL TO public USING (value = nullif(current_setting('cellar_door.actor', true), '')::uuid::text);--> statement-breakpoint
CREATE POLICY "own_rows" ON "billing_subscription" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "celebration" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "personal_email_answer" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "given_glasses" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "glass_change" AS PERMISSIVE FOR ALL TO public USING (EXISTS (SELECT 1 FROM glass_grant g WHERE g.id = grant_id));--> statement-breakpoint
CREATE POLICY "own_rows" ON "glass_debit" AS PERMISSIVE FOR ALL TO public USING (EXISTS (SELECT 1 FROM glass_grant g WHERE g.id = grant_id));--> statement-breakpoint
CREATE POLICY "own_rows" ON "glass_grant" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "imported_account" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "customers" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "member_taste" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "membership_applications" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "pending_only" ON "membership_applications" AS RESTRICTIVE FOR ALL TO public USING (true) WITH CHECK (status = 'pending' AND reviewed_at IS NULL AND reviewed_by_staff_id IS NULL);--> statement-breakpoint
CREATE POLICY "own_rows" ON "memberships" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "paper_card" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "pour_voids" AS PERMISSIVE FOR ALL TO public USING (EXISTS (SELECT 1 FROM pours p WHERE p.id = pour_id));--> statement-breakpoint
CREATE POLICY "own_rows" ON "pours" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid) OR pool_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "member_photo" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "push_device" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "guest_glass" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid) OR pool_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "household_seat" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid) OR holder_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "bar_device" AS PERMISSIVE FOR ALL TO public USING (opened_by_staff_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "wallet_pass" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "member_palate" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "pour_rating" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid) AND EXISTS (SELECT 1 FROM pours p WHERE p.id = pour_id));
--> statement-breakpoint
-- The tiers a venue starts with. Reserve and connoisseur are no longer offered; old applications carry them.
INSERT INTO tier_definitions (tier_name, display_name, monthly_price_cents, monthly_pours, description, is_active, people, guest_glasses) VALUES
  ('select', 'Select', 3900, 4, 'A glass each week, poured when you like.', true, 1, 1),
  ('premier', 'Premier', 6900, 8, 'Two glasses a week, to taste your way through our list.', true, 1, 1),
  ('elite', 'Elite', 10900, 14, 'A glass every other day, for curious palates.', true, 1, 1),
  ('household', 'Household', 14900, 20, 'Our largest number of glasses, for two to share.', true, 2, 2),
  ('reserve', 'Reserve', 8900, 10, 'An earlier tier, kept for the members who chose it.', false, 1, 1),
  ('connoisseur', 'Connoisseur', 12900, 16, 'An earlier tier, kept for the members who chose it.', false, 1, 1);
