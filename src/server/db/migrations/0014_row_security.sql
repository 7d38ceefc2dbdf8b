-- Which rows a verb that acts for one person has: docs/decisions/0012-row-security.md. The owner of the tables is not
-- subject to it; the role cellar_door_member is, and what else it may do stands in src/server/db/member-role.ts.
-- {actor} is nobody when it is not set: comparing with it then finds nothing. It is written out in each policy, as a
-- function of ours would be parsed anew with every statement.
DO $migration$
DECLARE
  actor constant text := $$nullif(current_setting('cellar_door.actor', true), '')::uuid$$;
  rule record;
BEGIN
  FOR rule IN SELECT * FROM (VALUES
    ('profiles',                'id = {actor}'),
    ('customers',               'user_id = {actor}'),
    ('memberships',             'customer_id = (SELECT c.id FROM customers c WHERE c.user_id = {actor})'),
    ('membership_applications', 'user_id = {actor}'),
    ('pours',                   'customer_id = (SELECT c.id FROM customers c WHERE c.user_id = {actor})'),
    -- Of the pours, too, only the own ones are seen here.
    ('pour_voids',              'EXISTS (SELECT 1 FROM pours p WHERE p.id = pour_id)'),
    ('billing_subscription',    'user_id = {actor}'),
    ('sessions',                'user_id = {actor}'),
    ('verifications',           'value = {actor}::text')
  ) AS rules (of_table, own) LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', rule.of_table);
    EXECUTE format('CREATE POLICY own_rows ON %I USING (%s)', rule.of_table, replace(rule.own, '{actor}', actor));
  END LOOP;
END $migration$;
--> statement-breakpoint
-- What was decided on stays as it is, and nobody decides on their own.
CREATE POLICY undecided ON membership_applications AS RESTRICTIVE FOR ALL USING (true)
  WITH CHECK (status = 'pending' AND reviewed_at IS NULL AND reviewed_by_staff_id IS NULL);
--> statement-breakpoint
-- Fired when members change their profile; they have no rights to what staff search in.
ALTER FUNCTION profile_is_searched() SECURITY DEFINER SET search_path = public, pg_temp;
