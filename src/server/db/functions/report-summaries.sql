-- Daily figures for reports (docs/decisions/reports.md). A task closes a day two hours after its end by the database's
-- clock: it stores the day's pours, and the unused glasses of the billing periods that ended on it. Reports read closed
-- days, and count all others from the rows. Later changes to a closed day rewrite it in their own transaction, by
-- touch_report_day.
DROP FUNCTION IF EXISTS poured_between, unused_between, open_days, close_report_day, touch_report_day, grant_ends,
  write_report_day, poured_on, unused_on;

-- Pours of the days from p_first to p_last. The range of instants is wider, because a clock change can repeat midnight; the
-- day decides.
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

-- Paid billing periods that ended on the days from p_first to p_last and before p_now: their glasses, with those given by
-- staff and less debts, and the unused ones. Glasses rolled over into a period are excluded: they were left of the previous
-- one. A guest's glass never outlives its period, so none is held at infinity.
CREATE FUNCTION unused_on(p_first date, p_last date, p_now timestamptz, p_zone text)
RETURNS TABLE (day date, tier text, periods integer, given integer, unused integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  begins timestamptz := p_first::timestamp AT TIME ZONE p_zone - interval '3 hours';
  until timestamptz := (p_last + 1)::timestamp AT TIME ZONE p_zone + interval '3 hours';
BEGIN
  RETURN QUERY
  WITH ending AS (
    SELECT g.membership_id, g.period FROM glass_grant g WHERE g.valid_until >= begins AND g.valid_until < until
    UNION
    SELECT g.membership_id, g.period FROM glass_change x JOIN glass_grant g ON g.id = x.grant_id
     WHERE x.valid_until >= begins AND x.valid_until < until
  ), period AS (
    SELECT max(s.valid_until) FILTER (WHERE s.turn = 3) AS ends, max(s.tier) FILTER (WHERE s.turn = 3) AS tier,
           bool_or(s.turn = 3 AND s.paid) AS paid, greatest(0, sum(s.glasses - s.owed)) AS given, sum(s.left_over) AS unused
      FROM ending JOIN grants_as_of('infinity') s ON s.membership_id = ending.membership_id AND s.period = ending.period
     WHERE s.kind <> 'rollover'
     GROUP BY s.membership_id, s.period
  )
  SELECT (ends AT TIME ZONE p_zone)::date, tier, count(*)::integer, sum(given)::integer, sum(unused)::integer
    FROM period
   WHERE paid AND ends <= p_now AND (ends AT TIME ZONE p_zone)::date BETWEEN p_first AND p_last
   GROUP BY 1, 2;
END
$$;

-- The days of a range that are not closed in a time zone, as consecutive stretches, each counted at once.
CREATE FUNCTION open_days(p_first date, p_last date, p_zone text) RETURNS TABLE (first date, last date)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  SELECT min(run.day), max(run.day)
    FROM (SELECT n.day::date, n.day::date - row_number() OVER (ORDER BY n.day)::integer AS start
            FROM generate_series(p_first::timestamp, p_last::timestamp, interval '1 day') n(day)
           WHERE NOT EXISTS (SELECT 1 FROM closed_day c WHERE c.day = n.day::date AND c.time_zone = p_zone)) run
   GROUP BY run.start;
END
$$;

-- Pours from one day to another.
CREATE FUNCTION poured_between(p_first date, p_last date, p_zone text)
RETURNS TABLE (day date, hour smallint, location text, staff_id uuid, pours integer, glasses integer)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN QUERY
  SELECT s.* FROM pour_summary s JOIN closed_day c ON c.day = s.day AND c.time_zone = p_zone
   WHERE s.day BETWEEN p_first AND p_last
  UNION ALL
  SELECT live.* FROM open_days(p_first, p_last, p_zone) o CROSS JOIN LATERAL poured_on(o.first, o.last, p_zone) live;
END
$$;

-- Unused glasses by month, from the month of p_first to that of p_last.
CREATE FUNCTION unused_between(p_first date, p_last date, p_now timestamptz, p_zone text)
RETURNS TABLE (month date, tier text, periods integer, given integer, unused integer)
LANGUAGE plpgsql STABLE AS $$
#variable_conflict use_column
DECLARE
  last date := least((p_last + interval '1 month')::date - 1, (p_now AT TIME ZONE p_zone)::date);
BEGIN
  RETURN QUERY
  WITH days AS (
    SELECT s.* FROM unused_summary s JOIN closed_day c ON c.day = s.day AND c.time_zone = p_zone
     WHERE s.day BETWEEN p_first AND last
    UNION ALL
    SELECT live.* FROM open_days(p_first, last, p_zone) o CROSS JOIN LATERAL unused_on(o.first, o.last, p_now, p_zone) live
  )
  SELECT date_trunc('month', days.day)::date, days.tier, sum(days.periods)::integer, sum(days.given)::integer,
         sum(days.unused)::integer
    FROM days GROUP BY 1, 2;
END
$$;

-- Stores one day's figures from the rows. The lock makes the second of two late changes of a day wait for the commit of the
-- first before reading.
CREATE FUNCTION write_report_day(p_day date, p_zone text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('writing a day of reports'));
  DELETE FROM pour_summary WHERE day = p_day;
  INSERT INTO pour_summary (day, hour, location, staff_id, pours, glasses) SELECT * FROM poured_on(p_day, p_day, p_zone);
  DELETE FROM unused_summary WHERE day = p_day;
  INSERT INTO unused_summary (day, tier, periods, given, unused) SELECT * FROM unused_on(p_day, p_day, 'infinity', p_zone);
END $$;

-- Closes a day, or closes it again in another time zone.
--
-- No late change is missed. It adds its rows, then takes the lock shared until it commits, and then looks whether its day is
-- closed (touch_report_day). This takes the lock alone before it reads. Where the change came first, this waits for its commit
-- and counts it; where this came first, the change waits, finds the day closed and writes it again. Each statement of a function
-- sees what was committed before it began, in transactions that are READ COMMITTED, as all are that write.
CREATE FUNCTION close_report_day(p_day date, p_zone text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('closing a day of reports'));
  PERFORM write_report_day(p_day, p_zone);
  INSERT INTO closed_day (day, time_zone) VALUES (p_day, p_zone)
  ON CONFLICT (day) DO UPDATE SET time_zone = excluded.time_zone;
END $$;

-- Rewrites the closed days that contain the instants, in their time zone. The caller has added its rows before. The last
-- fifty minutes are skipped: their day stays open for another hour, and a transaction lasts seconds.
CREATE FUNCTION touch_report_day(VARIADIC p_at timestamptz[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  late timestamptz[] := ARRAY(SELECT a.at FROM unnest(p_at) a(at) WHERE a.at < clock_timestamp() - interval '50 minutes');
BEGIN
  IF late = '{}' THEN
    RETURN;
  END IF;
  PERFORM pg_advisory_xact_lock_shared(hashtext('closing a day of reports'));
  PERFORM write_report_day(c.day, c.time_zone)
     FROM (SELECT DISTINCT c.day, c.time_zone
             FROM unnest(late) a(at) JOIN closed_day c
               -- No time zone is a day or more from UTC, and with this range an index finds the days.
               ON c.day BETWEEN (a.at AT TIME ZONE 'UTC')::date - 1 AND (a.at AT TIME ZONE 'UTC')::date + 1
              AND c.day = (a.at AT TIME ZONE c.time_zone)::date) c;
END $$;

-- The present and former ends of the periods of grants, and of the periods that settled their debts: the instants for
-- touch_report_day when one of them changes. A glass given after its period was ended early carries the period's former end.
CREATE FUNCTION grant_ends(VARIADIC p_grants uuid[]) RETURNS timestamptz[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  touched uuid[] := ARRAY(
    SELECT g.id FROM glass_grant g
      JOIN (SELECT DISTINCT t.membership_id, t.period FROM glass_grant t
             WHERE t.id = ANY (p_grants || ARRAY(SELECT d.grant_id FROM glass_debit d WHERE d.owed_grant_id = ANY (p_grants)))) p
        ON p.membership_id = g.membership_id AND p.period = g.period);
BEGIN
  RETURN ARRAY(
    SELECT g.valid_until FROM glass_grant g WHERE g.id = ANY (touched)
    UNION
    SELECT x.valid_until FROM glass_change x WHERE x.grant_id = ANY (touched) AND x.valid_until IS NOT NULL);
END $$;
