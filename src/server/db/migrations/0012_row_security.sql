-- Which rows a verb that acts for one person has: docs/decisions/0012-row-security.md. The owner of the tables is not
-- subject to it; the role cellar_door_member is, and what else it may do stands in src/server/db/member-role.ts.
-- Nobody when it is not set: comparing with it then finds nothing.
CREATE FUNCTION acting_user() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nullif(current_setting('cellar_door.actor', true), '')::uuid
$$;
--> statement-breakpoint
ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own_rows ON profiles USING (id = acting_user());
--> statement-breakpoint
ALTER TABLE customers ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own_rows ON customers USING (user_id = acting_user());
--> statement-breakpoint
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own_rows ON memberships
  USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = acting_user()));
--> statement-breakpoint
ALTER TABLE membership_applications ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
-- What was decided on stays as it is, and nobody decides on their own.
CREATE POLICY own_rows ON membership_applications USING (user_id = acting_user())
  WITH CHECK (user_id = acting_user() AND status = 'pending' AND reviewed_at IS NULL AND reviewed_by_staff_id IS NULL);
--> statement-breakpoint
ALTER TABLE pours ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own_rows ON pours
  USING (customer_id = (SELECT c.id FROM customers c WHERE c.user_id = acting_user()));
--> statement-breakpoint
ALTER TABLE pour_voids ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own_rows ON pour_voids USING (EXISTS (SELECT 1 FROM pours p
  WHERE p.id = pour_id AND p.customer_id = (SELECT c.id FROM customers c WHERE c.user_id = acting_user())));
--> statement-breakpoint
ALTER TABLE billing_subscription ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own_rows ON billing_subscription USING (user_id = acting_user());
--> statement-breakpoint
ALTER TABLE sessions ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own_rows ON sessions USING (user_id = acting_user());
--> statement-breakpoint
ALTER TABLE verifications ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own_rows ON verifications USING (value = acting_user()::text);
--> statement-breakpoint
-- Fired when members change their profile; they have no rights to what staff search in.
ALTER FUNCTION profile_is_searched() SECURITY DEFINER SET search_path = public, pg_temp;
