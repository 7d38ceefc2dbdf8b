-- Summaries of the ledger for reports (docs/decisions/0033-report-summaries.md). A day or month is summarized once it
-- has been over for two hours, by the database's clock. Whatever is added to the ledger more than fifty minutes late by
-- the same clock, and every void of a pour that old, leaves a mark in its own transaction: until the summaries were made
-- anew, that day is counted from the ledger. A transaction lives for seconds, so nothing falls between the two.
CREATE OR REPLACE FUNCTION mark_stale_pour() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO summary_stale (poured_at) VALUES (NEW.created_at);
  RETURN NULL;
END $$;

-- Decided without a look at any table: recording a pour takes no lock for it, and no time.
CREATE OR REPLACE TRIGGER mark_stale_pour AFTER INSERT ON pours
  FOR EACH ROW WHEN (NEW.created_at < clock_timestamp() - interval '50 minutes')
  EXECUTE FUNCTION mark_stale_pour();

CREATE OR REPLACE FUNCTION mark_stale_void() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO summary_stale (poured_at)
  SELECT p.created_at FROM pours p
   WHERE p.id = NEW.pour_id AND p.created_at < clock_timestamp() - interval '50 minutes';
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER mark_stale_void AFTER INSERT ON pour_voids
  FOR EACH ROW EXECUTE FUNCTION mark_stale_void();

DROP FUNCTION IF EXISTS poured_on;
DROP FUNCTION IF EXISTS poured_between;
DROP FUNCTION IF EXISTS unused_in;
DROP FUNCTION IF EXISTS unused_between;

-- The ledger of the days from p_first to p_last. The range of instants is wider, because a clock change can repeat
-- midnight; the day decides.
CREATE FUNCTION poured_on(p_first date, p_last date, p_zone text)
RETURNS TABLE (day date, hour smallint, location text, staff_id uuid, pours integer, glasses integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT (p.created_at AT TIME ZONE p_zone)::date, extract(hour FROM p.created_at AT TIME ZONE p_zone)::smallint,
         p.location, p.recorded_by_staff_id, count(*)::integer, sum(p.quantity)::integer
    FROM pours p
   WHERE p.created_at >= p_first::timestamp AT TIME ZONE p_zone - interval '3 hours'
     AND p.created_at < (p_last + 1)::timestamp AT TIME ZONE p_zone + interval '3 hours'
     AND (p.created_at AT TIME ZONE p_zone)::date BETWEEN p_first AND p_last
     AND NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = p.id)
   GROUP BY 1, 2, 3, 4;
END
$$;

-- The same from summaries as far as they count, and from the ledger for all other days.
CREATE FUNCTION poured_between(p_first date, p_last date, p_zone text)
RETURNS TABLE (day date, hour smallint, location text, staff_id uuid, pours integer, glasses integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH stale AS (
    SELECT DISTINCT (poured_at AT TIME ZONE p_zone)::date AS day FROM summary_stale
  ), kept AS (
    SELECT starts FROM summary_period
     WHERE summary = 'pours' AND time_zone = p_zone AND starts BETWEEN p_first AND p_last
       AND NOT EXISTS (SELECT 1 FROM stale WHERE stale.day = starts)
  ), open AS (
    SELECT n.day::date AS day FROM generate_series(p_first::timestamp, p_last::timestamp, interval '1 day') n(day)
     WHERE NOT EXISTS (SELECT 1 FROM kept WHERE kept.starts = n.day::date)
  ), stretch AS (
    -- Days in a row are counted together.
    SELECT min(day) AS first, max(day) AS last
      FROM (SELECT day, day - row_number() OVER (ORDER BY day)::integer AS run FROM open) runs GROUP BY run
  )
  SELECT s.* FROM pour_summary s JOIN kept ON kept.starts = s.day
  UNION ALL
  SELECT live.* FROM stretch CROSS JOIN LATERAL poured_on(stretch.first, stretch.last, p_zone) live;
END
$$;

-- Of the paid billing periods that ended in a month and before p_now: what they gave, and what was left. What rolled over
-- into a period is neither given nor used by it: it was left of the one before. At the venue one
-- period of a membership ends in each month after its first; of one that was brought in, those before were not poured here.
CREATE FUNCTION unused_in(p_month date, p_now timestamptz, p_zone text)
RETURNS TABLE (month date, tier text, periods integer, given integer, unused integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH bounds AS (
    SELECT p_month::timestamp AT TIME ZONE p_zone AS begins,
           least((p_month + interval '1 month') AT TIME ZONE p_zone, p_now) AS ends
  ), venue AS (
    SELECT m.customer_id, m.tier, m.start_date, m.end_date, m.counted_from,
           ((extract(year FROM p_month) - extract(year FROM m.start_date)) * 12
             + extract(month FROM p_month) - extract(month FROM m.start_date))::integer AS n
      FROM memberships m
     WHERE m.stripe_subscription_id IS NULL AND m.start_date < p_month
       AND (m.end_date IS NULL OR m.end_date >= p_month)
  ), period AS (
    SELECT venue.customer_id, venue.tier,
           (start_date + make_interval(months => n - 1)) AT TIME ZONE p_zone AS starts,
           (start_date + make_interval(months => n)) AT TIME ZONE p_zone AS ends, 0 AS changed,
           coalesce(a.carried_pours, 0) AS carried
      FROM venue LEFT JOIN allowance_period a ON a.customer_id = venue.customer_id
           AND a.starts_at = (start_date + make_interval(months => n - 1)) AT TIME ZONE p_zone
     WHERE (end_date IS NULL OR (start_date + make_interval(months => n))::date <= end_date)
       AND (counted_from IS NULL OR (start_date + make_interval(months => n - 1))::date >= counted_from)
    UNION ALL
    SELECT a.customer_id, a.tier, a.starts_at, a.ends_at,
           (SELECT coalesce(sum(x.glasses), 0)::integer FROM allowance_change x
             WHERE x.customer_id = a.customer_id AND x.period_starts_at = a.starts_at), a.carried_pours
      FROM allowance_period a, bounds
     WHERE a.stripe_subscription_id IS NOT NULL AND a.paid AND a.ends_at > bounds.begins AND a.ends_at <= bounds.ends
  ), counted AS (
    SELECT period.tier,
           greatest(0, t.monthly_pours + changed + given_between(period.customer_id, starts, period.ends) - carried) AS given,
           greatest(0, pours_between(period.customer_id, starts, period.ends)
                       - rolled_between(period.customer_id, starts, period.ends)) AS used
      FROM period JOIN tier_definitions t ON t.tier_name = period.tier, bounds
     WHERE period.ends <= bounds.ends
  )
  SELECT p_month, counted.tier, count(*)::integer, sum(given)::integer, sum(greatest(0, given - used))::integer
    FROM counted GROUP BY counted.tier;
END
$$;

-- A pour that was voided late may lie in a period that ended a month later.
CREATE FUNCTION unused_between(p_first date, p_last date, p_now timestamptz, p_zone text)
RETURNS TABLE (month date, tier text, periods integer, given integer, unused integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  WITH stale AS (
    SELECT DISTINCT date_trunc('month', poured_at AT TIME ZONE p_zone)::date AS month FROM summary_stale
  ), kept AS (
    SELECT starts FROM summary_period
     WHERE summary = 'unused' AND time_zone = p_zone AND starts BETWEEN p_first AND p_last
       AND NOT EXISTS (SELECT 1 FROM stale WHERE starts IN (stale.month, (stale.month + interval '1 month')::date))
  ), open AS (
    SELECT n.month::date AS month FROM generate_series(p_first::timestamp, p_last::timestamp, interval '1 month') n(month)
     WHERE NOT EXISTS (SELECT 1 FROM kept WHERE kept.starts = n.month::date)
  )
  SELECT s.* FROM unused_summary s JOIN kept ON kept.starts = s.month
  UNION ALL
  SELECT live.* FROM open CROSS JOIN LATERAL unused_in(open.month, p_now, p_zone) live;
END
$$;
