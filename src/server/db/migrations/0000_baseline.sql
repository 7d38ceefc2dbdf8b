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
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "api_clients" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
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
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"token" text NOT NULL,
	"role" text,
	"expires_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "sessions_token_unique" UNIQUE("token")
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
	CONSTRAINT "billing_customer_stripe_customer_id_unique" UNIQUE("stripe_customer_id")
);
--> statement-breakpoint
CREATE TABLE "billing_payment" (
	"stripe_invoice_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"stripe_subscription_id" text NOT NULL,
	"status" text NOT NULL,
	"amount_paid_cents" integer NOT NULL,
	"amount_refunded_cents" integer DEFAULT 0 NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
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
CREATE TABLE "billing_subscription" (
	"stripe_subscription_id" text PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"tier" text NOT NULL,
	"status" text NOT NULL,
	"cancel_at_period_end" boolean NOT NULL,
	"cancel_at" timestamp with time zone,
	"current_period_start" timestamp with time zone NOT NULL,
	"current_period_end" timestamp with time zone NOT NULL,
	"grace_until" timestamp with time zone,
	"access_until" timestamp with time zone,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"stripe_price_id" text NOT NULL,
	"stripe_schedule_id" text,
	"pending_tier" text,
	"pending_from" timestamp with time zone,
	"pending_amount_cents" integer,
	"card_brand" text,
	"card_last4" text,
	"card_exp_month" integer,
	"card_exp_year" integer,
	"created_at" timestamp with time zone NOT NULL,
	"synced_at" timestamp with time zone NOT NULL,
	CONSTRAINT "billing_subscription_pending" CHECK (num_nulls("billing_subscription"."pending_tier", "billing_subscription"."pending_from", "billing_subscription"."pending_amount_cents") in (0, 3)),
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
	CONSTRAINT "checkout_attempt_stripe_session_id_unique" UNIQUE("stripe_session_id"),
	CONSTRAINT "checkout_attempt_status_known" CHECK ("checkout_attempt"."status" in ('creating', 'open', 'completed', 'expired'))
);
--> statement-breakpoint
CREATE TABLE "stripe_event" (
	"id" text PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"stripe_customer_id" text,
	"created_at" timestamp with time zone NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"processed_at" timestamp with time zone
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
	CONSTRAINT "tier_change_status_known" CHECK ("tier_change"."status" in ('shown', 'asked', 'done', 'refused'))
);
--> statement-breakpoint
CREATE TABLE "tier_price" (
	"stripe_price_id" text PRIMARY KEY NOT NULL,
	"stripe_product_id" text NOT NULL,
	"tier_name" text NOT NULL,
	"amount_cents" integer NOT NULL,
	"currency" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schema_functions" (
	"name" text PRIMARY KEY NOT NULL,
	"sha256" text NOT NULL,
	"applied_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "membership_applications" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"status" text NOT NULL,
	"is_complete" boolean DEFAULT false NOT NULL,
	"selected_tier" text,
	"current_step" smallint DEFAULT 1 NOT NULL,
	"preferences" jsonb,
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
	"status" text NOT NULL,
	"monthly_price_cents" integer NOT NULL,
	"recorded_by_staff_id" uuid,
	"toast_reference_number" text,
	"stripe_subscription_id" text,
	CONSTRAINT "memberships_stripe_subscription_id_unique" UNIQUE("stripe_subscription_id"),
	CONSTRAINT "memberships_status_known" CHECK ("memberships"."status" in ('active', 'ended')),
	CONSTRAINT "memberships_price" CHECK ("memberships"."monthly_price_cents" >= 0)
);
--> statement-breakpoint
ALTER TABLE "memberships" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
CREATE TABLE "pour_voids" (
	"pour_id" uuid PRIMARY KEY NOT NULL,
	"reason" text,
	"voided_by_staff_id" uuid NOT NULL,
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
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "pours_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "pours_quantity" CHECK ("pours"."quantity" > 0),
	CONSTRAINT "pours_location_known" CHECK ("pours"."location" in ('main_bar', 'private_event', 'tasting_room')),
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
	CONSTRAINT "tier_definitions_price" CHECK ("tier_definitions"."monthly_price_cents" >= 0),
	CONSTRAINT "tier_definitions_pours" CHECK ("tier_definitions"."monthly_pours" >= 0)
);
--> statement-breakpoint
CREATE TABLE "outbox_email" (
	"id" uuid PRIMARY KEY NOT NULL,
	"cause" text NOT NULL,
	"user_id" uuid,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"body" text,
	"created_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp with time zone NOT NULL,
	CONSTRAINT "outbox_email_cause_unique" UNIQUE("cause")
);
--> statement-breakpoint
CREATE TABLE "profile_search" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"search_text" text NOT NULL,
	"customer_id" uuid,
	"member_since" date
);
--> statement-breakpoint
CREATE TABLE "profile_summary" (
	"key" text PRIMARY KEY NOT NULL,
	"customer_id" uuid NOT NULL,
	"summary" text,
	"asked_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_clients" ADD CONSTRAINT "api_clients_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "used_totp_codes" ADD CONSTRAINT "used_totp_codes_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "user_roles" ADD CONSTRAINT "user_roles_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_customer" ADD CONSTRAINT "billing_customer_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_payment" ADD CONSTRAINT "billing_payment_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_reversal" ADD CONSTRAINT "billing_reversal_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "billing_subscription" ADD CONSTRAINT "billing_subscription_pending_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("pending_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_application_id_membership_applications_id_fk" FOREIGN KEY ("application_id") REFERENCES "public"."membership_applications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkout_attempt" ADD CONSTRAINT "checkout_attempt_tier_name_tier_definitions_tier_name_fk" FOREIGN KEY ("tier_name") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tier_change" ADD CONSTRAINT "tier_change_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tier_change" ADD CONSTRAINT "tier_change_to_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("to_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tier_price" ADD CONSTRAINT "tier_price_tier_name_tier_definitions_tier_name_fk" FOREIGN KEY ("tier_name") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_signed_up_by_staff_id_profiles_id_fk" FOREIGN KEY ("signed_up_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_applications" ADD CONSTRAINT "membership_applications_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_applications" ADD CONSTRAINT "membership_applications_selected_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("selected_tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "membership_applications" ADD CONSTRAINT "membership_applications_reviewed_by_staff_id_profiles_id_fk" FOREIGN KEY ("reviewed_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_tier_tier_definitions_tier_name_fk" FOREIGN KEY ("tier") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_recorded_by_staff_id_profiles_id_fk" FOREIGN KEY ("recorded_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_voids" ADD CONSTRAINT "pour_voids_pour_id_pours_id_fk" FOREIGN KEY ("pour_id") REFERENCES "public"."pours"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_voids" ADD CONSTRAINT "pour_voids_voided_by_staff_id_profiles_id_fk" FOREIGN KEY ("voided_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_recorded_by_staff_id_profiles_id_fk" FOREIGN KEY ("recorded_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "outbox_email" ADD CONSTRAINT "outbox_email_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profile_search" ADD CONSTRAINT "profile_search_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "profile_summary" ADD CONSTRAINT "profile_summary_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_user" ON "accounts" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_identity" ON "accounts" USING btree ("provider_id","account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_one_of_each" ON "accounts" USING btree ("user_id","provider_id");--> statement-breakpoint
CREATE INDEX "api_clients_user" ON "api_clients" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "verifications_identifier" ON "verifications" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "billing_payment_user" ON "billing_payment" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "billing_reversal_user" ON "billing_reversal" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "billing_reversal_open" ON "billing_reversal" USING btree ("created_at") WHERE "billing_reversal"."done_at" is null;--> statement-breakpoint
CREATE INDEX "billing_subscription_user" ON "billing_subscription" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "billing_subscription_due" ON "billing_subscription" USING btree ("current_period_end") WHERE "billing_subscription"."status" not in ('canceled', 'incomplete_expired');--> statement-breakpoint
CREATE INDEX "checkout_attempt_unsettled" ON "checkout_attempt" USING btree ("created_at") WHERE "checkout_attempt"."status" in ('creating', 'open');--> statement-breakpoint
CREATE UNIQUE INDEX "checkout_attempt_one_open" ON "checkout_attempt" USING btree ("user_id") WHERE "checkout_attempt"."status" in ('creating', 'open');--> statement-breakpoint
CREATE INDEX "stripe_event_open" ON "stripe_event" USING btree ("received_at") WHERE "stripe_event"."processed_at" is null;--> statement-breakpoint
CREATE INDEX "tier_change_user" ON "tier_change" USING btree ("user_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "tier_change_one_asked" ON "tier_change" USING btree ("user_id") WHERE "tier_change"."status" = 'asked';--> statement-breakpoint
CREATE UNIQUE INDEX "tier_price_of_amount" ON "tier_price" USING btree ("tier_name","amount_cents","currency");--> statement-breakpoint
CREATE UNIQUE INDEX "customers_one_per_user" ON "customers" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "customers_newest" ON "customers" USING btree ("member_since" DESC NULLS LAST,"id" DESC NULLS LAST) WHERE "customers"."status" = 'active';--> statement-breakpoint
CREATE UNIQUE INDEX "applications_one_pending" ON "membership_applications" USING btree ("user_id") WHERE "membership_applications"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "applications_newest" ON "membership_applications" USING btree ("created_at" DESC NULLS LAST,"id" DESC NULLS LAST);--> statement-breakpoint
CREATE UNIQUE INDEX "memberships_one_active" ON "memberships" USING btree ("customer_id") WHERE "memberships"."status" = 'active';--> statement-breakpoint
CREATE INDEX "memberships_customer" ON "memberships" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "pours_of_customer" ON "pours" USING btree ("customer_id","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "outbox_email_due" ON "outbox_email" USING btree ("next_attempt_at") WHERE "outbox_email"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "profile_search_trigrams" ON "profile_search" USING gin ("search_text" gin_trgm_ops);--> statement-breakpoint
CREATE INDEX "profile_search_newest" ON "profile_search" USING btree ("member_since" DESC NULLS LAST,"customer_id" DESC NULLS LAST) WHERE "profile_search"."member_since" is not null;--> statement-breakpoint
CREATE INDEX "profile_summary_customer" ON "profile_summary" USING btree ("customer_id");--> statement-breakpoint
CREATE POLICY "own_rows" ON "api_clients" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "passkeys" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "profiles" AS PERMISSIVE FOR ALL TO public USING (id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "sessions" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "verifications" AS PERMISSIVE FOR ALL TO public USING (value = nullif(current_setting('cellar_door.actor', true), '')::uuid::text);--> statement-breakpoint
CREATE POLICY "own_rows" ON "billing_subscription" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "customers" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "own_rows" ON "membership_applications" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);--> statement-breakpoint
CREATE POLICY "pending_only" ON "membership_applications" AS RESTRICTIVE FOR ALL TO public USING (true) WITH CHECK (status = 'pending' AND reviewed_at IS NULL AND reviewed_by_staff_id IS NULL);--> statement-breakpoint
CREATE POLICY "own_rows" ON "memberships" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "pour_voids" AS PERMISSIVE FOR ALL TO public USING (EXISTS (SELECT 1 FROM pours p WHERE p.id = pour_id));--> statement-breakpoint
CREATE POLICY "own_rows" ON "pours" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));
--> statement-breakpoint
-- The tiers a venue starts with. Reserve and connoisseur are no longer offered; old applications carry them.
INSERT INTO tier_definitions (tier_name, display_name, monthly_price_cents, monthly_pours, description, is_active) VALUES
  ('select', 'Select', 3900, 4, 'A first glass each week: the house whites and reds, poured when you like.', true),
  ('premier', 'Premier', 6900, 8, 'Two glasses a week, with first taste of every new arrival.', true),
  ('elite', 'Elite', 10900, 14, 'Our library and single-vineyard pours, and a seat at the winemaker evenings.', true),
  ('household', 'Household', 14900, 20, 'One card for two: share your glasses with the person you live with.', true),
  ('reserve', 'Reserve', 8900, 10, 'An earlier tier, kept for the members who chose it.', false),
  ('connoisseur', 'Connoisseur', 12900, 16, 'An earlier tier, kept for the members who chose it.', false);
