-- The tiers a venue starts with. Reserve and connoisseur are no longer offered; old applications carry them.
INSERT INTO tier_definitions (tier_name, display_name, monthly_price_cents, monthly_pours, description, is_active) VALUES
  ('select', 'Select', 3900, 4, 'A first glass each week: the house whites and reds, poured when you like.', true),
  ('premier', 'Premier', 6900, 8, 'Two glasses a week, with first taste of every new arrival.', true),
  ('elite', 'Elite', 10900, 14, 'Our library and single-vineyard pours, and a seat at the winemaker evenings.', true),
  ('household', 'Household', 14900, 20, 'One card for two: share your glasses with the person you live with.', true),
  ('reserve', 'Reserve', 8900, 10, 'An earlier tier, kept for the members who chose it.', false),
  ('connoisseur', 'Connoisseur', 12900, 16, 'An earlier tier, kept for the members who chose it.', false);
--> statement-breakpoint
-- The ledger only grows.
CREATE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger of pours is append-only' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER pours_append_only BEFORE UPDATE OR DELETE ON pours
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
CREATE TRIGGER pour_voids_append_only BEFORE UPDATE OR DELETE ON pour_voids
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
--> statement-breakpoint
-- What a member has at an instant. The same rules as src/domain/allowance.ts and standing.ts, to which a
-- property test holds it; here because a pour is decided in one round trip, under the member's lock.
CREATE FUNCTION member_allowance(p_customer uuid, p_now timestamptz, p_zone text)
RETURNS TABLE (access boolean, tier_max integer, pours_used integer, period_start timestamptz, period_end timestamptz)
LANGUAGE sql STABLE AS $$
  WITH member AS (
    SELECT c.id, c.member_since, t.monthly_pours, s.current_period_start, s.current_period_end,
           m.stripe_subscription_id IS NOT NULL AS by_card,
           c.status = 'active'
             AND (m.stripe_subscription_id IS NULL OR coalesce(s.access_until > p_now, false)) AS access,
           (p_now AT TIME ZONE p_zone)::date AS today
      FROM customers c
      JOIN tier_definitions t ON t.tier_name = c.tier
      LEFT JOIN memberships m ON m.customer_id = c.id AND m.status = 'active'
      LEFT JOIN billing_subscription s ON s.stripe_subscription_id = m.stripe_subscription_id
     WHERE c.id = p_customer
  ), elapsed AS (
    SELECT member.*,
           ((extract(year FROM today) - extract(year FROM member_since)) * 12
             + extract(month FROM today) - extract(month FROM member_since))::integer AS months
      FROM member
  ), anniversary AS (
    SELECT elapsed.*,
           months - (((member_since + make_interval(months => months))::date > today)::integer) AS n
      FROM elapsed
  ), period AS (
    SELECT anniversary.*,
           CASE WHEN NOT by_card THEN (member_since + make_interval(months => n)) AT TIME ZONE p_zone
                WHEN p_now < current_period_end THEN current_period_start
                ELSE current_period_end END AS starts,
           CASE WHEN NOT by_card THEN (member_since + make_interval(months => n + 1)) AT TIME ZONE p_zone
                WHEN p_now < current_period_end THEN current_period_end
                ELSE (current_period_end AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC' END AS ends
      FROM anniversary
  )
  SELECT period.access, period.monthly_pours,
         coalesce((SELECT sum(p.quantity)::integer FROM pours p
                    WHERE p.customer_id = period.id AND p.created_at >= period.starts AND p.created_at < period.ends
                      AND NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = p.id)), 0),
         period.starts, period.ends
    FROM period
$$;
--> statement-breakpoint
-- Records a pour: lock the member, find a repeated request, check standing and allowance, insert, update the
-- member. outcome: recorded, repeated, reused (same request_id, other pour), not_found, not_active, exceeded.
-- pour is the id of the new row, or of the first one on 'repeated'; available is what is left afterwards.
CREATE FUNCTION record_pour(
  p_id uuid, p_request uuid, p_customer uuid, p_quantity integer, p_location text, p_notes text,
  p_reference text, p_staff uuid, p_now timestamptz, p_zone text)
RETURNS TABLE (outcome text, pour uuid, available integer)
LANGUAGE plpgsql AS $$
DECLARE
  has record;
  earlier pours%ROWTYPE;
  remaining integer;
BEGIN
  PERFORM 1 FROM customers WHERE id = p_customer FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'not_found', NULL::uuid, 0;
    RETURN;
  END IF;
  SELECT * INTO has FROM member_allowance(p_customer, p_now, p_zone);
  remaining := greatest(0, has.tier_max - has.pours_used);
  SELECT * INTO earlier FROM pours WHERE request_id = p_request;
  IF FOUND THEN
    IF earlier.customer_id = p_customer AND earlier.quantity = p_quantity AND earlier.location = p_location THEN
      RETURN QUERY SELECT 'repeated', earlier.id, remaining;
    ELSE
      RETURN QUERY SELECT 'reused', NULL::uuid, 0;
    END IF;
    RETURN;
  END IF;
  IF NOT has.access THEN
    RETURN QUERY SELECT 'not_active', NULL::uuid, 0;
    RETURN;
  END IF;
  IF p_quantity > remaining THEN
    RETURN QUERY SELECT 'exceeded', NULL::uuid, remaining;
    RETURN;
  END IF;
  INSERT INTO pours (id, request_id, customer_id, quantity, location, notes, toast_reference_number, status,
                     recorded_by_staff_id, created_at)
  VALUES (p_id, p_request, p_customer, p_quantity, p_location, p_notes, p_reference, 'redeemed', p_staff, p_now);
  UPDATE customers SET total_pours_lifetime = total_pours_lifetime + p_quantity, last_activity = p_now
   WHERE id = p_customer;
  RETURN QUERY SELECT 'recorded', p_id, remaining - p_quantity;
END $$;
