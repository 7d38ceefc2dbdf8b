CREATE TABLE "celebration" (
	"customer_id" uuid NOT NULL,
	"occasion" text NOT NULL,
	"kind" text NOT NULL,
	"years" smallint,
	"day" date NOT NULL,
	"gift_id" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "celebration_customer_id_occasion_pk" PRIMARY KEY("customer_id","occasion"),
	CONSTRAINT "celebration_gift_id_unique" UNIQUE("gift_id")
);
--> statement-breakpoint
ALTER TABLE "celebration" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "allowance_gift" ALTER COLUMN "given_by_staff_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "celebration" ADD CONSTRAINT "celebration_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "celebration" ADD CONSTRAINT "celebration_gift_id_allowance_gift_id_fk" FOREIGN KEY ("gift_id") REFERENCES "public"."allowance_gift"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "celebration_day" ON "celebration" USING btree ("customer_id","day");--> statement-breakpoint
ALTER TABLE "allowance_gift" ADD CONSTRAINT "allowance_gift_giver" CHECK (("allowance_gift"."kind" = 'celebration') = ("allowance_gift"."given_by_staff_id" is null));--> statement-breakpoint
CREATE POLICY "own_rows" ON "celebration" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));