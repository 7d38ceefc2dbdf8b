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
ALTER TABLE "member_palate" ADD CONSTRAINT "member_palate_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_rating" ADD CONSTRAINT "pour_rating_pour_id_pours_id_fk" FOREIGN KEY ("pour_id") REFERENCES "public"."pours"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pour_rating" ADD CONSTRAINT "pour_rating_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pour_rating_of_customer" ON "pour_rating" USING btree ("customer_id","answered_at");--> statement-breakpoint
CREATE POLICY "own_rows" ON "member_palate" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));--> statement-breakpoint
CREATE POLICY "own_rows" ON "pour_rating" AS PERMISSIVE FOR ALL TO public USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid) AND EXISTS (SELECT 1 FROM pours p WHERE p.id = pour_id));