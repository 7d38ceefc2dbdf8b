CREATE TABLE "benefit_use" (
	"id" uuid PRIMARY KEY NOT NULL,
	"request_id" uuid NOT NULL,
	"benefit_id" uuid NOT NULL,
	"customer_id" uuid NOT NULL,
	"pool_id" uuid NOT NULL,
	"words" text NOT NULL,
	"recorded_by_staff_id" uuid NOT NULL,
	"bar_device_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"recorded_at" timestamp with time zone,
	"voided_at" timestamp with time zone,
	"voided_by_staff_id" uuid,
	"void_reason" text,
	CONSTRAINT "benefit_use_request_id_unique" UNIQUE("request_id"),
	CONSTRAINT "benefit_use_voided" CHECK (("benefit_use"."voided_at" is null) = ("benefit_use"."voided_by_staff_id" is null))
);
--> statement-breakpoint
CREATE TABLE "tier_benefit" (
	"id" uuid PRIMARY KEY NOT NULL,
	"tier_name" text NOT NULL,
	"words" text NOT NULL,
	"every" text,
	"place" smallint,
	CONSTRAINT "tier_benefit_every" CHECK ("tier_benefit"."every" in ('month', 'quarter', 'year', 'once')),
	CONSTRAINT "tier_benefit_place" CHECK ("tier_benefit"."place" between 0 and 7)
);
--> statement-breakpoint
CREATE TABLE "tier_benefit_number" (
	"benefit_id" uuid NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"number" smallint NOT NULL,
	CONSTRAINT "tier_benefit_number_benefit_id_since_pk" PRIMARY KEY("benefit_id","since"),
	CONSTRAINT "tier_benefit_number_range" CHECK ("tier_benefit_number"."number" between 0 and 50)
);
--> statement-breakpoint
ALTER TABLE "benefit_use" ADD CONSTRAINT "benefit_use_benefit_id_tier_benefit_id_fk" FOREIGN KEY ("benefit_id") REFERENCES "public"."tier_benefit"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "benefit_use" ADD CONSTRAINT "benefit_use_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "benefit_use" ADD CONSTRAINT "benefit_use_pool_id_customers_id_fk" FOREIGN KEY ("pool_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "benefit_use" ADD CONSTRAINT "benefit_use_recorded_by_staff_id_profiles_id_fk" FOREIGN KEY ("recorded_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "benefit_use" ADD CONSTRAINT "benefit_use_bar_device_id_bar_device_id_fk" FOREIGN KEY ("bar_device_id") REFERENCES "public"."bar_device"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "benefit_use" ADD CONSTRAINT "benefit_use_voided_by_staff_id_profiles_id_fk" FOREIGN KEY ("voided_by_staff_id") REFERENCES "public"."profiles"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tier_benefit" ADD CONSTRAINT "tier_benefit_tier_name_tier_definitions_tier_name_fk" FOREIGN KEY ("tier_name") REFERENCES "public"."tier_definitions"("tier_name") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tier_benefit_number" ADD CONSTRAINT "tier_benefit_number_benefit_id_tier_benefit_id_fk" FOREIGN KEY ("benefit_id") REFERENCES "public"."tier_benefit"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "benefit_use_pool" ON "benefit_use" USING btree ("pool_id","created_at");--> statement-breakpoint
CREATE INDEX "benefit_use_customer" ON "benefit_use" USING btree ("customer_id","created_at");--> statement-breakpoint
CREATE INDEX "benefit_use_benefit" ON "benefit_use" USING btree ("benefit_id");--> statement-breakpoint
CREATE INDEX "tier_benefit_tier" ON "tier_benefit" USING btree ("tier_name");