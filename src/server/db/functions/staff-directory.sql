-- The rows by which staff list members (src/server/membership/directory): the triggers that maintain member_directory and
-- member_visit, and both tables written again whenever this file changes.
DROP FUNCTION IF EXISTS write_directory_row;
DROP FUNCTION IF EXISTS directory_rows;

-- The current row of a member; a partner has the holder's standing. Asked for one id only, so that its plan can be reused:
-- planning it again took longer than all else of an import. Which membership counts is as in getBarCard
-- (src/server/pours/bar-card.ts); ends_at is endsAt() in src/domain/standing.ts.
CREATE FUNCTION directory_rows(p_customer uuid) RETURNS SETOF member_directory LANGUAGE sql STABLE AS $$
  SELECT c.id, c.user_id, fold_text(p.last_name || ' ' || p.first_name), c.tier, c.status, c.member_since, s.status,
         s.grace_until,
         coalesce(s.cancel_at, CASE WHEN s.cancel_at_period_end THEN s.current_period_end END),
         CASE WHEN s.status IS NULL THEN m.paused_from ELSE s.paused_from END,
         CASE WHEN s.status IS NULL THEN m.paused_until ELSE s.paused_until END
    FROM customers c
    JOIN profiles p ON p.id = c.user_id
    LEFT JOIN household_seat h ON h.customer_id = c.id AND h.ended_at IS NULL
    LEFT JOIN LATERAL (
      SELECT * FROM memberships n WHERE n.customer_id = coalesce(h.holder_id, c.id)
       ORDER BY n.status = 'active' DESC, n.end_date DESC, n.start_date DESC, n.id DESC LIMIT 1) m ON true
    LEFT JOIN billing_subscription s ON s.stripe_subscription_id = m.stripe_subscription_id
   WHERE c.id = p_customer
$$;

CREATE FUNCTION write_directory_row(p_customer uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO member_directory AS d SELECT * FROM directory_rows(p_customer)
  ON CONFLICT (customer_id) DO UPDATE
     SET (user_id, sort_name, tier, status, member_since, stripe_status, grace_until, ends_at,
          paused_from, paused_until)
       = (excluded.user_id, excluded.sort_name, excluded.tier, excluded.status, excluded.member_since,
          excluded.stripe_status, excluded.grace_until, excluded.ends_at, excluded.paused_from, excluded.paused_until)
   WHERE d IS DISTINCT FROM excluded;
  INSERT INTO member_visit (customer_id, last_visit) VALUES (p_customer, '-infinity') ON CONFLICT DO NOTHING;
END $$;

CREATE OR REPLACE FUNCTION list_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_directory_row(NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_customer AFTER INSERT ON customers
  FOR EACH ROW EXECUTE FUNCTION list_customer();

-- A pour updates the customer too, which changes nothing here.
CREATE OR REPLACE TRIGGER list_changed_customer AFTER UPDATE ON customers
  FOR EACH ROW WHEN ((OLD.tier, OLD.status, OLD.member_since) IS DISTINCT FROM (NEW.tier, NEW.status, NEW.member_since))
  EXECUTE FUNCTION list_customer();

CREATE OR REPLACE FUNCTION list_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_directory_row(NEW.customer_id);
  PERFORM write_directory_row(h.customer_id) FROM household_seat h WHERE h.holder_id = NEW.customer_id AND h.ended_at IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_membership AFTER INSERT OR UPDATE ON memberships
  FOR EACH ROW EXECUTE FUNCTION list_membership();

-- SECURITY DEFINER: fires when members change their own profile, and they have no rights to the list.
CREATE OR REPLACE FUNCTION list_user() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM write_directory_row(c.id) FROM customers c WHERE c.user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_named_user AFTER UPDATE ON profiles
  FOR EACH ROW WHEN ((OLD.first_name, OLD.last_name) IS DISTINCT FROM (NEW.first_name, NEW.last_name))
  EXECUTE FUNCTION list_user();

CREATE OR REPLACE FUNCTION list_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM write_directory_row(c.id) FROM customers c WHERE c.user_id = NEW.user_id;
  PERFORM write_directory_row(h.customer_id) FROM household_seat h JOIN customers c ON c.id = h.holder_id
    WHERE c.user_id = NEW.user_id AND h.ended_at IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER list_subscription AFTER INSERT ON billing_subscription
  FOR EACH ROW EXECUTE FUNCTION list_payer();

CREATE OR REPLACE TRIGGER list_changed_subscription AFTER UPDATE ON billing_subscription
  FOR EACH ROW WHEN (
    (OLD.status, OLD.grace_until, OLD.cancel_at, OLD.cancel_at_period_end, OLD.current_period_end, OLD.paused_from, OLD.paused_until)
    IS DISTINCT FROM
    (NEW.status, NEW.grace_until, NEW.cancel_at, NEW.cancel_at_period_end, NEW.current_period_end, NEW.paused_from, NEW.paused_until))
  EXECUTE FUNCTION list_payer();

-- A pour holds the member's lock, so this waits for no other pour, only for a count of visits. The counted visits
-- (server/reports/at-risk/usual-gaps.ts) end with the last one, so a new visit unmarks them; so does a pour that is added
-- late.
CREATE OR REPLACE FUNCTION note_visit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO member_visit AS v (customer_id, last_visit) VALUES (NEW.customer_id, NEW.created_at)
  ON CONFLICT (customer_id) DO UPDATE SET last_visit = greatest(v.last_visit, excluded.last_visit), visits_zone = NULL
   WHERE v.last_visit < excluded.last_visit OR v.visits_zone IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER note_visit AFTER INSERT ON pours
  FOR EACH ROW EXECUTE FUNCTION note_visit();

CREATE OR REPLACE FUNCTION note_voided_visit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE member_visit v
     SET last_visit = coalesce((
           SELECT p.created_at FROM pours p
            WHERE p.customer_id = v.customer_id AND NOT EXISTS (SELECT 1 FROM pour_voids x WHERE x.pour_id = p.id)
            ORDER BY p.created_at DESC LIMIT 1), '-infinity'),
         visits_zone = NULL
    FROM pours poured WHERE poured.id = NEW.pour_id AND v.customer_id = poured.customer_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER note_voided_visit AFTER INSERT ON pour_voids
  FOR EACH ROW EXECUTE FUNCTION note_voided_visit();

DELETE FROM member_directory;
INSERT INTO member_directory SELECT r.* FROM customers c CROSS JOIN LATERAL directory_rows(c.id) r;
DELETE FROM member_visit;
INSERT INTO member_visit (customer_id, last_visit)
SELECT c.id, coalesce((
         SELECT p.created_at FROM pours p
          WHERE p.customer_id = c.id AND NOT EXISTS (SELECT 1 FROM pour_voids x WHERE x.pour_id = p.id)
          ORDER BY p.created_at DESC LIMIT 1), '-infinity')
  FROM customers c;
