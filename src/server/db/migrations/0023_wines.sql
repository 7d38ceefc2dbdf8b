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
ALTER TABLE "pours" ADD COLUMN "wine_id" uuid;--> statement-breakpoint
ALTER TABLE "pours" ADD COLUMN "bottle_id" uuid;--> statement-breakpoint
ALTER TABLE "bottle" ADD CONSTRAINT "bottle_wine_id_wine_id_fk" FOREIGN KEY ("wine_id") REFERENCES "public"."wine"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bottle_of_wine" ON "bottle" USING btree ("wine_id","opened_at");--> statement-breakpoint
CREATE UNIQUE INDEX "bottle_one_open" ON "bottle" USING btree ("wine_id") WHERE "bottle"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "wine_position" ON "wine" USING btree ("position");--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_wine_id_wine_id_fk" FOREIGN KEY ("wine_id") REFERENCES "public"."wine"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_bottle_id_bottle_id_fk" FOREIGN KEY ("bottle_id") REFERENCES "public"."bottle"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "pours_of_bottle" ON "pours" USING btree ("bottle_id") WHERE "pours"."bottle_id" is not null;--> statement-breakpoint
ALTER TABLE "pours" ADD CONSTRAINT "pours_bottle_of_wine" CHECK ("pours"."bottle_id" is null or "pours"."wine_id" is not null);