-- The ledger of glasses (docs/rules/glasses.md, "Glasses"): the running period, what is left of each grant, which grants are
-- due, and what is owed. allowance.sql says what a member has, spend-glasses.sql takes from it. In PL/pgSQL, because a
-- connection keeps its plans.
--
-- A call that writes to the ledger of a member holds the lock of the pool (lock_pool). Reading needs none: what is due and
-- not written yet is counted as if it were.
DROP FUNCTION IF EXISTS grant_is_paid, may_be_unpaid, stored_grants, grants_as_of, due_grants, write_due_grants, owed_glasses, settle_owed,
  rollover_limit, pool_period;
DROP FUNCTION IF EXISTS advance_of(integer, integer, timestamptz, timestamptz), advance_of(integer, integer, date, date);

-- The billing period of a member's own membership at an instant, at the venue as in venuePeriod(). Without a membership,
-- months count from member_since, without access. A card period that is over and not renewed yet is still followed by the
-- next one, with the tier scheduled for its start.
CREATE FUNCTION pool_period(p_customer uuid, p_now timestamptz, p_zone text)
RETURNS TABLE (membership_id uuid, access boolean, by_card boolean, tier text, period date, starts timestamptz, ends timestamptz,
               first_period date, prior_period date, paid_until date, grace_until date)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  of record;
  since date;
  today date;
  months integer;
BEGIN
  SELECT c.status = 'active' AS active, c.tier, c.member_since, m.id, m.start_date, m.counted_from, m.began_at, m.ends_on,
         m.paid_until, m.grace_until, m.paused_from, m.paused_until, m.pending_tier AS venue_tier, m.pending_from AS venue_from,
         m.stripe_subscription_id, s.current_period_start, s.current_period_end, s.access_until, s.pending_tier, s.pending_from
    INTO of
    FROM customers c
    LEFT JOIN memberships m ON m.customer_id = c.id AND m.status = 'active'
    LEFT JOIN billing_subscription s ON s.stripe_subscription_id = m.stripe_subscription_id
   WHERE c.id = p_customer;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  membership_id := of.id;
  tier := of.tier;
  by_card := of.stripe_subscription_id IS NOT NULL;
  IF by_card THEN
    access := of.active AND coalesce(of.access_until > p_now, false);
    IF p_now < of.current_period_end THEN
      starts := of.current_period_start;
      ends := of.current_period_end;
    ELSE
      starts := of.current_period_end;
      ends := (of.current_period_end AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
      IF of.pending_from <= starts THEN
        tier := of.pending_tier;
      END IF;
    END IF;
    period := (starts AT TIME ZONE 'UTC')::date;
  ELSE
    today := (p_now AT TIME ZONE p_zone)::date;
    since := coalesce(of.start_date, of.member_since);
    paid_until := of.paid_until;
    grace_until := of.grace_until;
    access := of.active AND of.id IS NOT NULL AND coalesce(today < least(of.ends_on, of.grace_until), true)
              AND NOT coalesce(p_now >= of.paused_from AND p_now < of.paused_until, false);
    -- Whole months since the membership began, always counted from that day: 31 Jan, 28 Feb, 31 Mar.
    months := ((extract(year FROM today) - extract(year FROM since)) * 12
               + extract(month FROM today) - extract(month FROM since))::integer;
    IF (since + make_interval(months => months))::date > today THEN
      months := months - 1;
    END IF;
    period := (since + make_interval(months => months))::date;
    IF of.venue_from <= period THEN
      tier := of.venue_tier;
    END IF;
    first_period := coalesce(of.counted_from, since);
    prior_period := (since + make_interval(months => months - 1))::date;
    starts := period::timestamp AT TIME ZONE p_zone;
    ends := (since + make_interval(months => months + 1)) AT TIME ZONE p_zone;
    -- The first month begins with the membership: glasses of an earlier membership that day were separate.
    IF period = since AND of.began_at > starts AND of.began_at < ends THEN
      starts := of.began_at;
    END IF;
  END IF;
  RETURN NEXT;
END
$$;

-- The most glasses that roll over from a period with this start.
CREATE FUNCTION rollover_limit(p_tier text, p_starts timestamptz) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT r.glasses FROM tier_rollover r WHERE r.tier_name = p_tier AND r.since <= p_starts
                    ORDER BY r.since DESC LIMIT 1), 0);
END
$$;

-- Whether a grant is paid. What dues pay for can be voided, and paid again.
CREATE FUNCTION grant_is_paid(p_grant uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT CASE g.kind WHEN 'advance' THEN 0 ELSE 1 END
                 + coalesce((SELECT sum(CASE x.kind WHEN 'paid' THEN 1 ELSE -1 END) FROM glass_change x
                              WHERE x.grant_id = g.id AND x.kind IN ('paid', 'unpaid')), 0) > 0
            FROM glass_grant g WHERE g.id = p_grant);
END
$$;

-- All grants with their current glasses: given with all changes, taken by pours, guests and owed glasses, and left, never
-- below 0. Pours voided from p_voids_before on still count. turn is the order in which grants are spent. Plain SQL, so that
-- Postgres inlines it and reads only the grants needed.
CREATE FUNCTION grants_as_of(p_now timestamptz, p_voids_before timestamptz DEFAULT 'infinity')
RETURNS TABLE (membership_id uuid, period date,
               id uuid, kind text, turn integer, given_id uuid, tier text, glasses integer, rollable integer, paid boolean,
               poured integer, held integer, owed integer, left_over integer, valid_from timestamptz, valid_until timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT g.membership_id, g.period, g.id, g.kind,
         CASE g.kind WHEN 'rollover' THEN 1 WHEN 'period' THEN 3 WHEN 'advance' THEN 3 ELSE 2 END, g.given_id,
         coalesce(c.tier, g.tier), g.glasses + coalesce(c.glasses, 0), greatest(0, g.rollable + coalesce(c.rollable, 0)),
         CASE g.kind WHEN 'advance' THEN 0 ELSE 1 END + coalesce(c.paid, 0) > 0,
         coalesce(d.poured, 0), coalesce(d.held, 0), coalesce(d.owed, 0),
         greatest(0, g.glasses + coalesce(c.glasses, 0) - coalesce(d.poured + d.held + d.owed, 0)),
         g.valid_from, coalesce(c.valid_until, g.valid_until)
    FROM glass_grant g
    LEFT JOIN LATERAL (
      SELECT sum(x.glasses)::integer AS glasses, sum(x.rollable)::integer AS rollable, 
             sum(CASE x.kind WHEN 'paid' THEN 1 WHEN 'unpaid' THEN -1 ELSE 0 END) AS paid,
             (array_agg(x.valid_until ORDER BY x.created_at DESC, x.id DESC) FILTER (WHERE x.valid_until IS NOT NULL))[1] AS valid_until,
             (array_agg(x.to_tier ORDER BY x.created_at DESC, x.id DESC)
               FILTER (WHERE x.to_tier IS NOT NULL AND x.kind <> 'tier_change'))[1] AS tier
        FROM glass_change x WHERE x.grant_id = g.id) c ON true
    LEFT JOIN LATERAL (
      SELECT coalesce(sum(b.glasses) FILTER (WHERE b.pour_id IS NOT NULL), 0)::integer AS poured,
             coalesce(sum(b.glasses) FILTER (WHERE b.guest_glass_id IS NOT NULL), 0)::integer AS held,
             coalesce(sum(b.glasses) FILTER (WHERE b.owed_grant_id IS NOT NULL), 0)::integer AS owed
        FROM glass_debit b
       WHERE b.grant_id = g.id
         AND CASE WHEN b.pour_id IS NOT NULL THEN
                    NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = b.pour_id AND v.created_at < p_voids_before)
                  WHEN b.guest_glass_id IS NOT NULL THEN
                    EXISTS (SELECT 1 FROM guest_glass q WHERE q.id = b.guest_glass_id AND q.expires_at > p_now
                               AND q.withdrawn_at IS NULL AND q.pour_id IS NULL)
                  -- Paid after all: nothing is owed.
                  ELSE NOT grant_is_paid(b.owed_grant_id) END) d ON true
$$;

-- The current grants of one period of a membership.
CREATE FUNCTION stored_grants(p_membership uuid, p_period date, p_now timestamptz, p_voids_before timestamptz DEFAULT 'infinity')
RETURNS TABLE (id uuid, kind text, turn integer, given_id uuid, tier text, glasses integer, rollable integer, paid boolean,
               poured integer, held integer, owed integer, left_over integer, valid_from timestamptz, valid_until timestamptz)
LANGUAGE plpgsql STABLE ROWS 4 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT g.id, g.kind, g.turn, g.given_id, g.tier, g.glasses, g.rollable, g.paid, g.poured, g.held, g.owed, g.left_over, g.valid_from,
         g.valid_until
    FROM grants_as_of(p_now, p_voids_before) g WHERE g.membership_id = p_membership AND g.period = p_period;
END
$$;

-- The share of a month's glasses for the days of grace, rounded up: advanceOf() in src/domain/glasses.ts. A month at the venue
-- is given by its days, so that a change of the clocks in it gives no glass more.
CREATE FUNCTION advance_of(p_monthly integer, p_days integer, p_starts timestamptz, p_ends timestamptz)
RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN least(p_monthly, ceil(p_monthly * p_days * 86400 / extract(epoch FROM p_ends - p_starts))::integer);
END
$$;

CREATE FUNCTION advance_of(p_monthly integer, p_days integer, p_first date, p_next date)
RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN least(p_monthly, ceil(p_monthly * p_days::numeric / (p_next - p_first))::integer);
END
$$;

-- Grants that are due at an instant but not written yet: each month at the venue up to the running one that was not paused, the running card
-- period's share before its charge is paid, and the rollover into the running period.
CREATE FUNCTION due_grants(p_customer uuid, p_now timestamptz, p_zone text) RETURNS SETOF glass_grant
LANGUAGE plpgsql STABLE ROWS 1 AS $$
DECLARE
  of record;
  last record;
  before record;
  due glass_grant;
  skipped glass_grant;
  month date;
  month_tier text;
  monthly integer;
BEGIN
  SELECT * INTO of FROM pool_period(p_customer, p_now, p_zone);
  IF of.membership_id IS NULL OR NOT of.access THEN
    RETURN;
  END IF;
  SELECT g.period, g.grace_days INTO last FROM glass_grant g
   WHERE g.membership_id = of.membership_id AND g.kind IN ('period', 'advance') ORDER BY g.period DESC LIMIT 1;
  due.customer_id := p_customer;
  due.membership_id := of.membership_id;
  due.created_at := p_now;
  IF last.period IS NULL OR last.period < of.period THEN
    SELECT t.monthly_pours INTO monthly FROM tier_definitions t WHERE t.tier_name = of.tier;
    due.tier := of.tier;
    IF of.by_card THEN
      due.kind := 'advance';
      due.period := of.period;
      due.valid_from := of.starts;
      due.valid_until := of.ends;
      due.grace_days := coalesce(last.grace_days, 7);
      due.glasses := advance_of(monthly, due.grace_days, of.starts, of.ends);
      due.rollable := rollover_limit(of.tier, of.starts);
      due.id := gen_random_uuid();
      RETURN NEXT due;
    ELSE
      FOR month, month_tier IN
        SELECT (m.start_date + make_interval(months => n))::date,
               CASE WHEN (m.start_date + make_interval(months => n))::date >= m.pending_from THEN m.pending_tier ELSE m.tier END
          FROM memberships m CROSS JOIN LATERAL generate_series(0,
                 ((extract(year FROM of.period) - extract(year FROM m.start_date)) * 12
                  + extract(month FROM of.period) - extract(month FROM m.start_date))::integer) n
         WHERE m.id = of.membership_id AND (m.start_date + make_interval(months => n))::date >= of.first_period
           AND (last.period IS NULL OR (m.start_date + make_interval(months => n))::date > last.period)
           AND NOT coalesce((m.start_date + make_interval(months => n)) AT TIME ZONE p_zone >= m.paused_from
                            AND (m.start_date + make_interval(months => n)) AT TIME ZONE p_zone < m.paused_until, false)
         ORDER BY 1
      LOOP
        SELECT t.monthly_pours INTO monthly FROM tier_definitions t WHERE t.tier_name = month_tier;
        skipped := due;
        due.tier := month_tier;
        due.period := month;
        SELECT p.starts, p.ends INTO due.valid_from, due.valid_until
          FROM pool_period(p_customer, month::timestamp AT TIME ZONE p_zone, p_zone) p;
        -- A month that is not paid gives the share up to the end of access, in whole days.
        due.kind := CASE WHEN month >= of.paid_until THEN 'advance' ELSE 'period' END;
        due.grace_days := CASE due.kind WHEN 'advance' THEN least(27, of.grace_until - month) END;
        due.glasses := CASE due.kind WHEN 'advance' THEN advance_of(monthly, due.grace_days, month, (due.valid_until AT TIME ZONE p_zone)::date)
                                     ELSE monthly END;
        due.rollable := rollover_limit(due.tier, due.valid_from);
        due.id := gen_random_uuid();
        RETURN NEXT due;
      END LOOP;
    END IF;
  END IF;
  -- Most venues have no rollover, and this skips its cost.
  IF NOT EXISTS (SELECT 1 FROM tier_rollover)
     OR EXISTS (SELECT 1 FROM glass_grant g
                 WHERE g.membership_id = of.membership_id AND g.period = of.period AND g.kind = 'rollover') THEN
    RETURN;
  END IF;
  IF skipped.id IS NOT NULL THEN
    -- Nothing rolls over a pause.
    due.glasses := CASE WHEN skipped.kind = 'period' AND skipped.period = of.prior_period THEN least(skipped.rollable, skipped.glasses) END;
  ELSE
    SELECT g.period INTO before FROM glass_grant g
     WHERE g.membership_id = of.membership_id AND g.kind IN ('period', 'advance') AND g.period < of.period
     ORDER BY g.period DESC LIMIT 1;
    SELECT least(s.rollable, s.left_over), s.tier INTO due.glasses, due.tier
      FROM stored_grants(of.membership_id, before.period, of.starts, of.starts) s
     WHERE s.turn = 3 AND s.paid AND CASE WHEN of.by_card THEN s.valid_until = of.starts ELSE before.period = of.prior_period END;
  END IF;
  IF due.glasses > 0 THEN
    due.kind := 'rollover';
    due.period := of.period;
    due.valid_from := of.starts;
    due.valid_until := of.ends;
    due.rollable := 0;
    due.grace_days := NULL;
    due.id := gen_random_uuid();
    RETURN NEXT due;
  END IF;
END
$$;

-- Whether a grant's month may be unpaid: it began so, or its dues were voided.
CREATE FUNCTION may_be_unpaid(g glass_grant) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT g.kind = 'advance'
      OR g.kind = 'period' AND EXISTS (SELECT 1 FROM glass_change x WHERE x.grant_id = g.id AND x.kind = 'unpaid')
$$;

-- Glasses poured from each grant that was never paid, and not settled by a later grant. Includes grants that may still be
-- paid: their debits lapse then.
CREATE FUNCTION owed_glasses(p_customer uuid, p_except uuid DEFAULT NULL)
RETURNS TABLE (grant_id uuid, glasses integer) LANGUAGE plpgsql STABLE ROWS 1 AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT * FROM (
    SELECT g.id,
           greatest(0,
             (SELECT coalesce(sum(d.glasses), 0)::integer FROM glass_debit d
               WHERE d.grant_id = g.id AND d.pour_id IS NOT NULL
                 -- A pour voided after its period is over stays owed.
                 AND NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = d.pour_id AND v.created_at < g.valid_until))
             -- A tier change within the period was paid at once.
             - (SELECT coalesce(sum(x.glasses), 0)::integer FROM glass_change x
                 WHERE x.grant_id = g.id AND x.kind = 'tier_change' AND x.glasses > 0))
           -- Debts settled by a grant that was never paid itself are still owed.
           - (SELECT coalesce(sum(d.glasses), 0)::integer FROM glass_debit d JOIN glass_grant made ON made.id = d.grant_id
               WHERE d.owed_grant_id = g.id
                 AND (made.id = p_except OR grant_is_paid(made.id))) AS glasses
      FROM glass_grant g
     WHERE g.customer_id = p_customer AND may_be_unpaid(g) AND g.id IS DISTINCT FROM p_except
       AND NOT grant_is_paid(g.id)) unpaid
   WHERE unpaid.glasses > 0;
END
$$;

-- Settles a member's debts from a new or newly paid grant, as far as it goes, oldest first.
CREATE FUNCTION settle_owed(p_grant uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  new glass_grant;
  left_over integer;
  debt record;
BEGIN
  SELECT * INTO new FROM glass_grant WHERE id = p_grant;
  IF NOT EXISTS (SELECT 1 FROM glass_grant g WHERE g.customer_id = new.customer_id AND may_be_unpaid(g) AND g.id <> new.id) THEN
    RETURN;
  END IF;
  SELECT s.left_over INTO left_over FROM stored_grants(new.membership_id, new.period, new.created_at) s WHERE s.id = new.id;
  FOR debt IN SELECT o.* FROM owed_glasses(new.customer_id, new.id) o JOIN glass_grant g ON g.id = o.grant_id
               WHERE g.valid_from < new.valid_from ORDER BY g.valid_from, g.id
  LOOP
    EXIT WHEN left_over <= 0;
    INSERT INTO glass_debit (grant_id, glasses, owed_grant_id) VALUES (new.id, least(debt.glasses, left_over), debt.grant_id);
    left_over := left_over - debt.glasses;
  END LOOP;
END $$;

-- Writes the grants that are due. The caller holds the pool's lock.
CREATE FUNCTION write_due_grants(p_customer uuid, p_now timestamptz, p_zone text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  due glass_grant;
  of_tier text;
  wrote boolean;
BEGIN
  LOOP
    wrote := false;
    SELECT d.tier INTO of_tier FROM due_grants(p_customer, p_now, p_zone) d LIMIT 1;
    EXIT WHEN of_tier IS NULL;
    -- A change of the tier's glasses corrects existing grants: it happens before these are written, or after.
    PERFORM 1 FROM tier_definitions t WHERE t.tier_name = of_tier FOR KEY SHARE;
    FOR due IN SELECT * FROM due_grants(p_customer, p_now, p_zone) ORDER BY valid_from, kind LOOP
      -- The rollover is known once the previous period is written.
      CONTINUE WHEN due.kind = 'rollover' AND wrote;
      INSERT INTO glass_grant SELECT due.* ON CONFLICT DO NOTHING;
      IF due.kind <> 'rollover' THEN
        wrote := true;
        PERFORM settle_owed(due.id);
      END IF;
      -- A month written late may be over already, and its day in the reports closed.
      PERFORM touch_report_day(due.valid_until);
    END LOOP;
    EXIT WHEN NOT wrote;
  END LOOP;
END $$;
