-- A member's allowance at an instant: the rules of availability(), periodPours(), carriedPours(), venuePeriod() and
-- cardPeriod() in src/domain/allowance.ts, of src/domain/membership/rollover.ts and of tierInForce() in src/domain/tier-change.ts. In SQL, so that a pour is
-- decided in one round trip, under the member's lock. tests/server/pours/allowance-agreement.test.ts holds the two
-- together. In PL/pgSQL, because it keeps a plan for the connection: as plain SQL it is planned anew in each query.
DROP FUNCTION IF EXISTS member_allowance;
DROP FUNCTION IF EXISTS carried_pours;
DROP FUNCTION IF EXISTS pours_between;
DROP FUNCTION IF EXISTS given_between;
DROP FUNCTION IF EXISTS held_between;
DROP FUNCTION IF EXISTS rolled_between;
DROP FUNCTION IF EXISTS rolled_over;

-- The pours of a member's glasses that were not voided, from an instant on and before another: their own, and those of who
-- shared their membership. What they had of somebody else's glasses is not among them.
CREATE FUNCTION pours_between(p_customer uuid, p_from timestamptz, p_until timestamptz)
RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
  SELECT coalesce(sum(p.quantity), 0)::integer FROM pours p
   WHERE p.customer_id = p_customer AND p.pool_id IS NULL AND p.created_at >= p_from AND p.created_at < p_until
     AND NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = p.id))
  + (
  SELECT coalesce(sum(p.quantity), 0)::integer FROM pours p
   WHERE p.pool_id = p_customer AND p.created_at >= p_from AND p.created_at < p_until
     AND NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = p.id));
END
$$;

-- Of a member's glasses, those that were given to guests from an instant on and before another, and that still wait.
CREATE FUNCTION held_between(p_customer uuid, p_from timestamptz, p_until timestamptz, p_now timestamptz)
RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT count(*)::integer FROM guest_glass g
           WHERE g.pool_id = p_customer AND g.created_at >= p_from AND g.created_at < p_until
             AND g.expires_at > p_now AND g.withdrawn_at IS NULL AND g.pour_id IS NULL);
END
$$;

-- What staff gave a member, less what they took back, from an instant on and before another.
CREATE FUNCTION given_between(p_customer uuid, p_from timestamptz, p_until timestamptz)
RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(sum(g.glasses), 0)::integer FROM allowance_gift g
           WHERE g.customer_id = p_customer AND g.created_at >= p_from AND g.created_at < p_until);
END
$$;

-- What rolled over into a member's periods that begin from an instant on and before another.
CREATE FUNCTION rolled_between(p_customer uuid, p_from timestamptz, p_until timestamptz)
RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT coalesce(sum(r.glasses), 0)::integer FROM allowance_rollover r
           WHERE r.customer_id = p_customer AND r.period_starts_at >= p_from AND r.period_starts_at < p_until);
END
$$;

-- What rolls over into the period with this start, if any: rolledOver() in src/domain/membership/rollover.ts. The row that the
-- period's first pour wrote; before it, what follows from the period that ended then, of the same membership. Of its
-- voids, those from before its end count, so that one that comes later changes nothing that was shown.
CREATE FUNCTION rolled_over(p_customer uuid, p_start timestamptz, p_zone text)
RETURNS TABLE (glasses integer, tier text, from_starts_at timestamptz) LANGUAGE plpgsql STABLE ROWS 1 AS $$
#variable_conflict use_column
BEGIN
  -- Most venues let none roll over, and pay nothing for it here.
  IF NOT EXISTS (SELECT 1 FROM tier_rollover) THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT r.glasses, r.tier, r.from_starts_at FROM allowance_rollover r
                WHERE r.customer_id = p_customer AND r.period_starts_at = p_start;
  IF FOUND THEN
    RETURN;
  END IF;
  -- Nor does a member pay who had no tier that ever let any.
  IF NOT EXISTS (
    SELECT 1 FROM tier_rollover k
     WHERE k.glasses > 0
       AND (k.tier_name IN (SELECT m.tier FROM memberships m WHERE m.customer_id = p_customer AND m.status = 'active')
            OR k.tier_name IN (SELECT a.tier FROM allowance_period a WHERE a.customer_id = p_customer AND a.ends_at = p_start)
            OR k.tier_name IN (SELECT x.to_tier FROM allowance_change x WHERE x.customer_id = p_customer))) THEN
    RETURN;
  END IF;
  RETURN QUERY
  WITH ended AS (
    SELECT true AS by_card, a.tier, a.starts_at, a.carried_pours,
           (SELECT coalesce(sum(x.glasses), 0)::integer FROM allowance_change x
             WHERE x.customer_id = a.customer_id AND x.period_starts_at = a.starts_at) AS changed
      FROM memberships m JOIN allowance_period a
           ON a.customer_id = m.customer_id AND a.stripe_subscription_id = m.stripe_subscription_id
     WHERE m.customer_id = p_customer AND m.status = 'active' AND a.ends_at = p_start AND a.paid AND NOT a.returned
    UNION ALL
    SELECT false, m.tier, v.starts_at, coalesce(a.carried_pours, 0), 0
      FROM memberships m
      CROSS JOIN LATERAL (SELECT (p_start AT TIME ZONE p_zone)::date AS today) d
      CROSS JOIN LATERAL (
        SELECT (m.start_date + make_interval(months => ((extract(year FROM d.today) - extract(year FROM m.start_date)) * 12
                 + extract(month FROM d.today) - extract(month FROM m.start_date))::integer - 1))
               AT TIME ZONE p_zone AS starts_at) v
      LEFT JOIN allowance_period a ON a.customer_id = m.customer_id AND a.starts_at = v.starts_at AND a.stripe_subscription_id IS NULL
     WHERE m.customer_id = p_customer AND m.status = 'active' AND m.stripe_subscription_id IS NULL
       AND coalesce(m.counted_from, m.start_date)::timestamp AT TIME ZONE p_zone <= v.starts_at
  ), terms AS (
    SELECT ended.*, t.monthly_pours + changed AS of_tier,
           (SELECT max(most.glasses)::integer
              FROM (SELECT ended.tier, ended.starts_at AS since
                    UNION ALL SELECT x.to_tier, x.prorated_at FROM allowance_change x
                     WHERE x.customer_id = p_customer AND x.period_starts_at = ended.starts_at AND by_card) had
              CROSS JOIN LATERAL (SELECT k.glasses FROM tier_rollover k
                                   WHERE k.tier_name = had.tier AND k.since <= had.since
                                   ORDER BY k.since DESC LIMIT 1) most) AS at_most
      FROM ended JOIN tier_definitions t ON t.tier_name = ended.tier
  )
  SELECT least(at_most, of_tier, of_tier + given_between(p_customer, starts_at, p_start) - carried_pours - greatest(0,
           (SELECT coalesce(sum(p.quantity), 0)::integer FROM pours p
             WHERE (p.customer_id = p_customer AND p.pool_id IS NULL OR p.pool_id = p_customer)
               AND p.created_at >= starts_at AND p.created_at < p_start
               AND NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = p.id AND v.created_at < p_start))
           - rolled_between(p_customer, starts_at, p_start))),
         tier, starts_at
    FROM terms WHERE at_most > 0;
END
$$;

-- The pours that count in the period with this start because no earlier period paid for them. Pours between the end of
-- the last card period and this start were poured while its renewal was awaited, so they were never paid either; but not
-- those from the day on which a later membership without a card began, whose own months give them.
CREATE FUNCTION carried_pours(p_customer uuid, p_start timestamptz, p_zone text)
RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (
  WITH last AS (
    SELECT a.*, least(a.ends_at, later.stop) AS until, later.stop
      FROM allowance_period a
      CROSS JOIN LATERAL (
        SELECT CASE WHEN min(m.start_date) IS NULL THEN p_start
                    ELSE least(p_start, greatest(a.starts_at, min(m.start_date)::timestamp AT TIME ZONE p_zone)) END AS stop
          FROM memberships m
         WHERE m.customer_id = p_customer AND m.stripe_subscription_id IS NULL
           AND m.id > (SELECT card.id FROM memberships card WHERE card.stripe_subscription_id = a.stripe_subscription_id)) later
     WHERE a.customer_id = p_customer AND a.starts_at < p_start
     ORDER BY a.starts_at DESC LIMIT 1
  ), counted AS (
    SELECT last.*, pours_between(p_customer, starts_at, until) AS used,
           CASE WHEN stripe_subscription_id IS NULL THEN 0
                ELSE greatest(0, pours_between(p_customer, until, stop)
                                 - given_between(p_customer, until, stop)
                                 - rolled_between(p_customer, until, stop)) END AS awaited,
           greatest(0, CASE WHEN paid THEN t.monthly_pours ELSE 0 END
             + (SELECT coalesce(sum(x.glasses), 0)::integer FROM allowance_change x
                 WHERE x.customer_id = p_customer AND x.period_starts_at = last.starts_at)
             + given_between(p_customer, starts_at, until) + rolled_between(p_customer, starts_at, until)) AS paid_for
      FROM last JOIN tier_definitions t ON t.tier_name = last.tier
  )
  SELECT coalesce((SELECT greatest(0, carried_pours - greatest(0, paid_for - used))
                            + CASE WHEN paid THEN 0 ELSE greatest(0, used - paid_for) END + awaited
                     FROM counted), 0));
END
$$;

-- available is what may be poured now: never below 0, and 0 without access. tier_max is what the period gives so far,
-- and when_paid how much more it gives once its regular charge is paid. pours_used includes carried; held is what waits for
-- guests. tier_max includes rolled, which rolled over into it; rolled_left is what of those is available. Of a partner it is the allowance of the household (household.sql).
CREATE FUNCTION member_allowance(p_customer uuid, p_now timestamptz, p_zone text)
RETURNS TABLE (access boolean, tier_max integer, pours_used integer, available integer, when_paid integer,
               carried integer, held integer, rolled integer, rolled_left integer,
               period_start timestamptz, period_end timestamptz)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  IF EXISTS (SELECT 1 FROM household_seat h WHERE h.customer_id = p_customer AND h.ended_at IS NULL) THEN
    RETURN QUERY SELECT * FROM partner_allowance(p_customer, p_now, p_zone);
    RETURN;
  END IF;
  -- Steps are materialized where the next ones mention their columns often: else each mention is the whole expression again,
  -- and planning and beginning the statement take several times as long as running it.
  RETURN QUERY
  WITH member AS (
    SELECT c.id, coalesce(m.start_date, c.member_since) AS since, c.tier, s.pending_tier, s.pending_from, s.current_period_start, s.current_period_end,
           m.stripe_subscription_id, m.stripe_subscription_id IS NOT NULL AS by_card,
           c.status = 'active'
             AND CASE WHEN m.stripe_subscription_id IS NULL THEN coalesce((p_now AT TIME ZONE p_zone)::date < m.ends_on, true)
                      ELSE coalesce(s.access_until > p_now, false) END AS access,
           (p_now AT TIME ZONE p_zone)::date AS today
      FROM customers c
      LEFT JOIN memberships m ON m.customer_id = c.id AND m.status = 'active'
      LEFT JOIN billing_subscription s ON s.stripe_subscription_id = m.stripe_subscription_id
     WHERE c.id = p_customer
  ), elapsed AS (
    SELECT member.*,
           ((extract(year FROM today) - extract(year FROM since)) * 12
             + extract(month FROM today) - extract(month FROM since))::integer AS months
      FROM member
  ), anniversary AS MATERIALIZED (
    -- Whole months since the membership began, always counted from that day: 31 Jan, 28 Feb, 31 Mar.
    SELECT elapsed.*,
           months - (((since + make_interval(months => months))::date > today)::integer) AS n
      FROM elapsed
  ), period AS MATERIALIZED (
    -- A card period that is over and was not renewed yet is followed by the next one all the same.
    SELECT anniversary.*,
           CASE WHEN NOT by_card THEN (since + make_interval(months => n)) AT TIME ZONE p_zone
                WHEN p_now < current_period_end THEN current_period_start
                ELSE current_period_end END AS starts,
           CASE WHEN NOT by_card THEN (since + make_interval(months => n + 1)) AT TIME ZONE p_zone
                WHEN p_now < current_period_end THEN current_period_end
                ELSE (current_period_end AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC' END AS ends
      FROM anniversary
  ), terms AS MATERIALIZED (
    -- A card period of which we know nothing yet is not paid, and begins with the tier scheduled for its start.
    SELECT period.*, t.monthly_pours,
           -- What the club had set when the period began; of one that we know nothing of, when the last one did.
           coalesce(a.grace_days, (SELECT b.grace_days FROM allowance_period b
                                    WHERE b.customer_id = period.id AND b.starts_at < starts
                                    ORDER BY b.starts_at DESC LIMIT 1), 7) AS grace_days, NOT by_card OR coalesce(a.paid, false) AS paid,
           CASE WHEN by_card THEN coalesce(a.carried_pours, carried_pours(period.id, starts, p_zone))
                ELSE coalesce(a.carried_pours, 0) END AS carried,
           pours_between(period.id, starts, ends) AS poured, held_between(period.id, starts, ends, p_now) AS held,
           (SELECT coalesce(sum(x.glasses), 0)::integer FROM allowance_change x
             WHERE x.customer_id = period.id AND x.period_starts_at = a.starts_at)
             + given_between(period.id, starts, ends) + rolled.glasses AS added, rolled.glasses AS rolled
      FROM period
      CROSS JOIN LATERAL (SELECT coalesce((SELECT greatest(0, r.glasses) FROM rolled_over(period.id, starts, p_zone) r), 0)
                                 AS glasses OFFSET 0) rolled -- Else every mention of it calls the function again.
      LEFT JOIN allowance_period a ON a.customer_id = period.id AND a.starts_at = starts
            AND a.stripe_subscription_id IS NOT DISTINCT FROM period.stripe_subscription_id
      JOIN tier_definitions t ON t.tier_name = coalesce(a.tier,
             CASE WHEN pending_from <= starts THEN pending_tier ELSE period.tier END)
  ), given AS (
    SELECT terms.*, greatest(0, monthly_pours + added) AS whole,
           CASE WHEN paid THEN greatest(0, monthly_pours + added)
                ELSE greatest(0, added + least(monthly_pours,
                       ceil(monthly_pours * grace_days * 86400 / extract(epoch FROM ends - starts))::integer)) END AS gives
      FROM terms
  )
  SELECT given.access, gives, poured + carried, left_over.available, whole - gives, carried, held, rolled,
         least(left_over.available, greatest(0, rolled - poured - held)), starts, ends
    FROM given CROSS JOIN LATERAL (
      SELECT CASE WHEN given.access THEN greatest(0, gives - poured - carried - held) ELSE 0 END AS available) left_over;
END
$$;
