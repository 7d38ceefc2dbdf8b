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
	"changed" boolean DEFAULT false NOT NULL,
	"due_at" timestamp with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "wallet_pass" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "pours" ADD COLUMN "paper_card_id" uuid;--> statement-breakpoint
ALTER TABLE "paper_card" ADD CONSTRAINT "paper_card_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_device" ADD CONSTRAINT "wallet_device_pass_id_wallet_pass_id_fk" FOREIGN KEY ("pass_id") REFERENCES "public"."wallet_pass"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_pass" ADD CONSTRAINT "wallet_pass_user_id_profiles_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "wallet_pass" ADD CONSTRAINT "wallet_pass_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "paper_card_one_current" ON "paper_card" USING btree ("customer_id","key_id") WHERE "paper_card"."replaced_at" is null;--> statement-breakpoint
CREATE INDEX "paper_card_customer" ON "paper_card" USING btree ("customer_id","issued_at");--> statement-breakpoint
CREATE INDEX "wallet_device_passes" ON "wallet_device" USING btree ("device_id");--> statement-breakpoint
CREATE UNIQUE INDEX "wallet_pass_one_per_platform" ON "wallet_pass" USING btree ("user_id","platform");--> statement-breakpoint
CREATE INDEX "wallet_pass_due" ON "wallet_pass" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "wallet_pass_changed" ON "wallet_pass" USING btree ("id") WHERE "wallet_pass"."changed";--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_paper_card_id_paper_card_id_fk" FOREIGN KEY ("paper_card_id") REFERENCES "public"."paper_card"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "own_rows" ON "paper_card" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "wallet_pass" AS PERMISSIVE FOR ALL TO public USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);