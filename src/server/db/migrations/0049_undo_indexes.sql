-- Without them, each account that an import takes back had whole tables read for it.
CREATE INDEX "allowance_gift_given_by" ON "allowance_gift" USING btree ("given_by_staff_id") WHERE "allowance_gift"."given_by_staff_id" is not null;--> statement-breakpoint
CREATE INDEX "customers_signed_up_by" ON "customers" USING btree ("signed_up_by_staff_id") WHERE "customers"."signed_up_by_staff_id" is not null;--> statement-breakpoint
CREATE INDEX "memberships_recorded_by" ON "memberships" USING btree ("recorded_by_staff_id") WHERE "memberships"."recorded_by_staff_id" is not null;--> statement-breakpoint
CREATE INDEX "member_about_changed_by" ON "member_about" USING btree ("changed_by_staff_id");--> statement-breakpoint
CREATE INDEX "member_note_removed_by" ON "member_note" USING btree ("removed_by_staff_id") WHERE "member_note"."removed_by_staff_id" is not null;--> statement-breakpoint
CREATE INDEX "member_note_version_written_by" ON "member_note_version" USING btree ("written_by_staff_id");--> statement-breakpoint
CREATE INDEX "member_tag_added_by" ON "member_tag" USING btree ("added_by_staff_id");