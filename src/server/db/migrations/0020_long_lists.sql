CREATE TABLE "application_count" (
	"status" text NOT NULL,
	"tier" text NOT NULL,
	"applications" integer NOT NULL,
	CONSTRAINT "application_count_status_tier_pk" PRIMARY KEY("status","tier")
);
--> statement-breakpoint
DROP INDEX "profile_search_newest";--> statement-breakpoint
DROP INDEX "applications_newest";--> statement-breakpoint
DROP INDEX "pours_of_customer";--> statement-breakpoint
CREATE INDEX "applications_of_status" ON "membership_applications" USING btree ("status","created_at","id");--> statement-breakpoint
CREATE INDEX "applications_of_tier" ON "membership_applications" USING btree (coalesce("selected_tier", 'select'),"created_at","id");--> statement-breakpoint
CREATE INDEX "applications_of_status_and_tier" ON "membership_applications" USING btree ("status",coalesce("selected_tier", 'select'),"created_at","id");--> statement-breakpoint
CREATE INDEX "applications_of_user" ON "membership_applications" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "applications_newest" ON "membership_applications" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "pours_of_customer" ON "pours" USING btree ("customer_id","created_at");