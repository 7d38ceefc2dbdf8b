-- A member's allowance at an instant: the rules of availability(), venuePeriod() and cardPeriod() in
-- src/domain/allowance.ts and of tierInForce() in src/domain/tier-change.ts. In SQL, so that a pour is decided in one
-- round trip, under the member's lock. tests/server/pours/allowance-agreement.test.ts holds the two together.
-- available is what may be poured now: never below 0, and 0 without access.
DROP FUNCTION IF EXISTS member_allowance;

CREATE FUNCTION member_allowance(p_customer uuid, p_now timestamptz, p_zone text)
RETURNS TABLE (access boolean, tier_max integer, pours_used integer, available integer,
               period_start timestamptz, period_end timestamptz)
LANGUAGE sql STABLE AS $$
  WITH member AS (
    SELECT c.id, c.member_since, t.monthly_pours, s.current_period_start, s.current_period_end,
           m.stripe_subscription_id IS NOT NULL AS by_card,
           c.status = 'active'
             AND (m.stripe_subscription_id IS NULL OR coalesce(s.access_until > p_now, false)) AS access,
           (p_now AT TIME ZONE p_zone)::date AS today
      FROM customers c
      LEFT JOIN memberships m ON m.customer_id = c.id AND m.status = 'active'
      LEFT JOIN billing_subscription s ON s.stripe_subscription_id = m.stripe_subscription_id
      -- A scheduled tier counts from its moment on, whether or not Stripe has notified us.
      JOIN tier_definitions t
        ON t.tier_name = CASE WHEN s.pending_from <= p_now THEN s.pending_tier ELSE c.tier END
     WHERE c.id = p_customer
  ), elapsed AS (
    SELECT member.*,
           ((extract(year FROM today) - extract(year FROM member_since)) * 12
             + extract(month FROM today) - extract(month FROM member_since))::integer AS months
      FROM member
  ), anniversary AS (
    -- Whole months since member_since, always counted from that day: 31 Jan, 28 Feb, 31 Mar.
    SELECT elapsed.*,
           months - (((member_since + make_interval(months => months))::date > today)::integer) AS n
      FROM elapsed
  ), period AS (
    -- A card period that is over and was not renewed yet is followed by the next one all the same.
    SELECT anniversary.*,
           CASE WHEN NOT by_card THEN (member_since + make_interval(months => n)) AT TIME ZONE p_zone
                WHEN p_now < current_period_end THEN current_period_start
                ELSE current_period_end END AS starts,
           CASE WHEN NOT by_card THEN (member_since + make_interval(months => n + 1)) AT TIME ZONE p_zone
                WHEN p_now < current_period_end THEN current_period_end
                ELSE (current_period_end AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC' END AS ends
      FROM anniversary
  ), counted AS (
    SELECT period.*,
           coalesce((SELECT sum(p.quantity)::integer FROM pours p
                      WHERE p.customer_id = period.id AND p.created_at >= period.starts AND p.created_at < period.ends
                        AND NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = p.id)), 0) AS used
      FROM period
  )
  SELECT counted.access, counted.monthly_pours, counted.used,
         CASE WHEN counted.access THEN greatest(0, counted.monthly_pours - counted.used) ELSE 0 END,
         counted.starts, counted.ends
    FROM counted
$$;
