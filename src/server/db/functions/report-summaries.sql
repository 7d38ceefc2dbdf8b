-- Summaries of the ledger for reports (docs/decisions/0033-report-summaries.md). A day is summarized once it
-- has been over for two hours, by the database's clock. Whatever is added to the ledger more than fifty minutes late by
-- the same clock, every void of a pour that old, and every change to a billing period that is over leaves a mark in its own
-- transaction: until the summaries were made anew, that day is counted from the facts. A transaction lives for seconds, so
-- nothing falls between the two.
DROP FUNCTION IF EXISTS mark_unused_at;
DROP FUNCTION IF EXISTS mark_unused_between;
DROP FUNCTION IF EXISTS mark_unused_end;

-- The day of the end of a billing period that is over, of which a trigger does not know the time zone: every day that it is
-- anywhere, of which there may be three.
CREATE FUNCTION mark_unused_end(p_ends timestamptz) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_ends < clock_timestamp() THEN
    INSERT INTO unused_stale (day)
    SELECT d::date FROM generate_series((p_ends AT TIME ZONE 'Etc/GMT+12')::date::timestamp,
                                        (p_ends AT TIME ZONE 'Etc/GMT-14')::date::timestamp, interval '1 day') d;
  END IF;
END $$;

-- The days between two on which a month of a membership at the venue ended, of those that were poured here.
CREATE FUNCTION mark_unused_between(p_start date, p_counted date, p_first date, p_last date)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO unused_stale (day)
  SELECT e.day FROM generate_series(
           greatest(1, (extract(year FROM age(p_first, p_start)) * 12 + extract(month FROM age(p_first, p_start)))::integer),
           (extract(year FROM p_last) - extract(year FROM p_start))::integer * 12
             + (extract(month FROM p_last) - extract(month FROM p_start))::integer) n
   CROSS JOIN LATERAL (SELECT (p_start + make_interval(months => n))::date AS day,
                              (p_start + make_interval(months => n - 1))::date AS first_day) e
   WHERE e.day BETWEEN p_first AND p_last AND (p_counted IS NULL OR e.first_day >= p_counted);
END $$;

-- The days on which the billing periods of a member that an instant lies in have ended. A month that began on February 28, because
-- that year had no 31st, ends on March 31.
CREATE FUNCTION mark_unused_at(p_customer uuid, p_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  today date := (clock_timestamp() AT TIME ZONE 'Etc/GMT-14')::date;
BEGIN
  PERFORM mark_unused_end(a.ends_at) FROM allowance_period a
    WHERE a.customer_id = p_customer AND a.stripe_subscription_id IS NOT NULL AND a.starts_at <= p_at AND a.ends_at > p_at;
  PERFORM mark_unused_between(m.start_date, m.counted_from, (p_at AT TIME ZONE 'Etc/GMT+12')::date,
            least(((p_at AT TIME ZONE 'Etc/GMT-14')::date + interval '1 month 3 days')::date, today))
     FROM memberships m WHERE m.customer_id = p_customer AND m.stripe_subscription_id IS NULL;
END $$;

CREATE OR REPLACE FUNCTION mark_stale_pour() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO summary_stale (poured_at) VALUES (NEW.created_at);
  PERFORM mark_unused_at(coalesce(NEW.pool_id, NEW.customer_id), NEW.created_at);
  RETURN NULL;
END $$;

-- Decided without a look at any table: recording a pour takes no lock for it, and no time.
CREATE OR REPLACE TRIGGER mark_stale_pour AFTER INSERT ON pours
  FOR EACH ROW WHEN (NEW.created_at < clock_timestamp() - interval '50 minutes')
  EXECUTE FUNCTION mark_stale_pour();

CREATE OR REPLACE FUNCTION mark_stale_void() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  poured pours;
BEGIN
  SELECT * INTO poured FROM pours p WHERE p.id = NEW.pour_id AND p.created_at < clock_timestamp() - interval '50 minutes';
  IF FOUND THEN
    INSERT INTO summary_stale (poured_at) VALUES (poured.created_at);
    PERFORM mark_unused_at(coalesce(poured.pool_id, poured.customer_id), poured.created_at);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER mark_stale_void AFTER INSERT ON pour_voids
  FOR EACH ROW EXECUTE FUNCTION mark_stale_void();

-- Glasses that an import gave go when it is undone.
CREATE OR REPLACE FUNCTION mark_late_gift() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_unused_at(g.customer_id, g.created_at)
     FROM (SELECT NEW.customer_id, NEW.created_at UNION ALL SELECT OLD.customer_id, OLD.created_at) g
    WHERE g.created_at < clock_timestamp() - interval '50 minutes';
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER mark_late_gift AFTER INSERT OR DELETE ON allowance_gift
  FOR EACH ROW EXECUTE FUNCTION mark_late_gift();

CREATE OR REPLACE FUNCTION mark_late_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mark_unused_at(x.customer_id, x.starts)
     FROM (SELECT NEW.customer_id, NEW.period_starts_at AS starts UNION ALL SELECT OLD.customer_id, OLD.period_starts_at) x
    WHERE x.customer_id IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER mark_late_change AFTER INSERT OR UPDATE OR DELETE ON allowance_change
  FOR EACH ROW EXECUTE FUNCTION mark_late_change();

-- A payment that arrives after its period, and whatever else is found out about one that is over.
CREATE OR REPLACE FUNCTION mark_late_period() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.customer_id, NEW.starts_at, NEW.ends_at, NEW.stripe_subscription_id, NEW.tier, NEW.paid, NEW.carried_pours)
     IS NOT DISTINCT FROM
     (OLD.customer_id, OLD.starts_at, OLD.ends_at, OLD.stripe_subscription_id, OLD.tier, OLD.paid, OLD.carried_pours) THEN
    RETURN NULL;
  END IF;
  PERFORM mark_unused_end(a.ends_at) FROM (SELECT NEW.ends_at UNION SELECT OLD.ends_at) a;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER mark_late_period AFTER INSERT OR UPDATE OR DELETE ON allowance_period
  FOR EACH ROW EXECUTE FUNCTION mark_late_period();

-- A membership at the venue whose months were others than thought. The end alone changes no month before it.
CREATE OR REPLACE FUNCTION mark_changed_membership() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  today date := (clock_timestamp() AT TIME ZONE 'Etc/GMT-14')::date;
  is_end_alone boolean := TG_OP = 'UPDATE'
    AND (NEW.start_date, NEW.counted_from, NEW.stripe_subscription_id)
        IS NOT DISTINCT FROM (OLD.start_date, OLD.counted_from, OLD.stripe_subscription_id);
BEGIN
  PERFORM mark_unused_between(m.start_date, m.counted_from,
            CASE WHEN is_end_alone THEN least(NEW.end_date, OLD.end_date) ELSE m.start_date END, today)
     FROM (SELECT NEW.start_date, NEW.counted_from, NEW.stripe_subscription_id
           UNION ALL SELECT OLD.start_date, OLD.counted_from, OLD.stripe_subscription_id) m
    WHERE m.start_date IS NOT NULL AND m.stripe_subscription_id IS NULL;
  RETURN NULL;
END $$;

-- Most are of a month that is not over: an import makes and takes back many of those.
CREATE OR REPLACE TRIGGER mark_new_membership AFTER INSERT ON memberships
  FOR EACH ROW WHEN (NEW.stripe_subscription_id IS NULL AND coalesce(NEW.counted_from, NEW.start_date) < current_date - 26)
  EXECUTE FUNCTION mark_changed_membership();
CREATE OR REPLACE TRIGGER mark_removed_membership AFTER DELETE ON memberships
  FOR EACH ROW WHEN (OLD.stripe_subscription_id IS NULL AND coalesce(OLD.counted_from, OLD.start_date) < current_date - 26)
  EXECUTE FUNCTION mark_changed_membership();
CREATE OR REPLACE TRIGGER mark_changed_membership AFTER UPDATE ON memberships
  FOR EACH ROW WHEN ((OLD.start_date, OLD.end_date, OLD.counted_from, OLD.stripe_subscription_id)
    IS DISTINCT FROM (NEW.start_date, NEW.end_date, NEW.counted_from, NEW.stripe_subscription_id))
  EXECUTE FUNCTION mark_changed_membership();

DROP FUNCTION IF EXISTS poured_on;
DROP FUNCTION IF EXISTS poured_between;
DROP FUNCTION IF EXISTS unused_in;
DROP FUNCTION IF EXISTS unused_on;
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
         coalesce(replace(p.place_name, ' ', '_'), p.location), p.recorded_by_staff_id, count(*)::integer, sum(p.quantity)::integer
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

-- Of the paid billing periods that ended from one day to another and before p_now: what they gave, and what was left. What
-- rolled over into a period is neither given nor used by it: it was left of the one before. At the venue one
-- period of a membership ends in each month after its first; of one that was brought in, those before were not poured here.
-- What a tier gave then counts, and of a membership at the venue the tier that it had then. All of a stretch at once: the
-- pours of its periods lie together in the ledger, and looking for those of each period took several times as long.
CREATE FUNCTION unused_on(p_first date, p_last date, p_now timestamptz, p_zone text)
RETURNS TABLE (day date, tier text, periods integer, given integer, unused integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  begins timestamptz := p_first::timestamp AT TIME ZONE p_zone;
  until timestamptz := least((p_last + 1)::timestamp AT TIME ZONE p_zone, p_now);
BEGIN
  RETURN QUERY
  WITH ending AS (
    -- On the last day of a month, months end that began on a day which it does not have.
    SELECT d.day::date AS day, extract(year FROM d.day)::integer * 12 + extract(month FROM d.day)::integer AS month, began.on_day
      FROM generate_series(p_first::timestamp, p_last::timestamp, interval '1 day') d(day)
      CROSS JOIN LATERAL generate_series(extract(day FROM d.day)::integer,
        CASE WHEN extract(day FROM d.day + interval '1 day') = 1 THEN 31 ELSE extract(day FROM d.day)::integer END) began(on_day)
  ), venue AS (
    SELECT m.id, m.customer_id, m.tier, ending.day, n.starts AT TIME ZONE p_zone AS starts,
           ending.day::timestamp AT TIME ZONE p_zone AS ends
      FROM memberships m JOIN ending ON ending.on_day = extract(day FROM m.start_date)::integer
      CROSS JOIN LATERAL (
        SELECT m.start_date + make_interval(months => month - 1 - extract(year FROM m.start_date)::integer * 12
                                                      - extract(month FROM m.start_date)::integer) AS starts) n
     WHERE m.stripe_subscription_id IS NULL AND ending.day > m.start_date AND (m.end_date IS NULL OR ending.day <= m.end_date)
       AND (m.counted_from IS NULL OR n.starts::date >= m.counted_from)
       AND ending.day::timestamp AT TIME ZONE p_zone <= p_now
  ), period AS MATERIALIZED (
    SELECT row_number() OVER () AS no, x.* FROM (
      SELECT venue.customer_id, venue.day, venue.starts, venue.ends, 0 AS changed,
             -- Few memberships at the venue ever had another tier.
             coalesce((SELECT t.tier FROM membership_term t WHERE t.membership_id = venue.id AND t.since < venue.ends
                        ORDER BY t.since DESC LIMIT 1), venue.tier) AS tier,
             coalesce(a.carried_pours, 0) AS carried
        FROM venue LEFT JOIN allowance_period a ON a.customer_id = venue.customer_id AND a.starts_at = venue.starts
      UNION ALL
      SELECT a.customer_id, (a.ends_at AT TIME ZONE p_zone)::date, a.starts_at, a.ends_at,
             (SELECT coalesce(sum(x.glasses), 0)::integer FROM allowance_change x
               WHERE x.customer_id = a.customer_id AND x.period_starts_at = a.starts_at), a.tier, a.carried_pours
        FROM allowance_period a
       WHERE a.stripe_subscription_id IS NOT NULL AND a.paid AND a.ends_at >= begins AND a.ends_at <= until
         AND (a.ends_at AT TIME ZONE p_zone)::date BETWEEN p_first AND p_last) x
  ), moved AS (
    -- What was poured of a period's glasses, and what rolled over into it, was given or changed in it.
    SELECT period.no, p.quantity AS poured, 0 AS added FROM period
      JOIN pours p ON p.customer_id = period.customer_id AND p.pool_id IS NULL
       AND p.created_at >= period.starts AND p.created_at < period.ends
     WHERE p.created_at >= (SELECT min(starts) FROM period) AND p.created_at < until
       AND NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = p.id)
    UNION ALL
    SELECT period.no, p.quantity, 0 FROM period
      JOIN pours p ON p.pool_id = period.customer_id AND p.created_at >= period.starts AND p.created_at < period.ends
     WHERE NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = p.id)
    UNION ALL
    SELECT period.no, 0, g.glasses FROM period
      JOIN allowance_gift g ON g.customer_id = period.customer_id
       AND g.created_at >= period.starts AND g.created_at < period.ends
  ), rolled AS (
    SELECT period.no, sum(r.glasses) AS glasses FROM period
      JOIN allowance_rollover r ON r.customer_id = period.customer_id
       AND r.period_starts_at >= period.starts AND r.period_starts_at < period.ends
     GROUP BY 1
  ), summed AS (
    SELECT moved.no, sum(moved.poured) AS poured, sum(moved.added) AS added FROM moved GROUP BY 1
  ), counted AS (
    SELECT period.day, period.tier,
           greatest(0, coalesce((SELECT g.glasses FROM tier_glasses g WHERE g.tier_name = period.tier AND g.until > period.ends
                                  ORDER BY g.until LIMIT 1), t.monthly_pours)
                       + changed + coalesce(summed.added, 0) - carried) AS given,
           greatest(0, coalesce(summed.poured, 0) - coalesce(rolled.glasses, 0)) AS used
      FROM period JOIN tier_definitions t ON t.tier_name = period.tier
      LEFT JOIN summed ON summed.no = period.no
      LEFT JOIN rolled ON rolled.no = period.no
  )
  SELECT counted.day, counted.tier, count(*)::integer, sum(given)::integer, sum(greatest(0, given - used))::integer
    FROM counted GROUP BY 1, 2;
END
$$;

-- The same by month, from summaries as far as they count, and from the facts for all other days.
CREATE FUNCTION unused_between(p_first date, p_last date, p_now timestamptz, p_zone text)
RETURNS TABLE (month date, tier text, periods integer, given integer, unused integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  last date := least((p_last + interval '1 month')::date - 1, (p_now AT TIME ZONE p_zone)::date);
BEGIN
  RETURN QUERY
  WITH kept AS (
    SELECT starts FROM summary_period
     WHERE summary = 'unused' AND time_zone = p_zone AND starts BETWEEN p_first AND last
       AND NOT EXISTS (SELECT 1 FROM unused_stale s WHERE s.day = starts)
  ), open AS (
    SELECT n.day::date AS day FROM generate_series(p_first::timestamp, last::timestamp, interval '1 day') n(day)
     WHERE NOT EXISTS (SELECT 1 FROM kept WHERE kept.starts = n.day::date)
  ), stretch AS (
    -- Days in a row are counted together.
    SELECT min(day) AS first, max(day) AS last
      FROM (SELECT day, day - row_number() OVER (ORDER BY day)::integer AS run FROM open) runs GROUP BY run
  ), days AS (
    SELECT s.day, s.tier, s.periods, s.given, s.unused FROM unused_summary s JOIN kept ON kept.starts = s.day
    UNION ALL
    SELECT live.* FROM stretch CROSS JOIN LATERAL unused_on(stretch.first, stretch.last, p_now, p_zone) live
  )
  SELECT date_trunc('month', days.day)::date, days.tier, sum(days.periods)::integer, sum(days.given)::integer,
         sum(days.unused)::integer
    FROM days GROUP BY 1, 2;
END
$$;
