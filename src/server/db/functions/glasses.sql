-- The ledger of glasses (docs/rules.md, "Glasses"): which grants are due, what is left of each, and what takes from them.
-- The rule in its readable form is src/domain/glasses.ts; tests/server/pours/glasses-agreement.test.ts holds the two
-- together. In PL/pgSQL, because it keeps a plan for the connection.
--
-- Whoever writes to the ledger of a member holds the lock of the pool (lock_pool). Reading needs none: what is due and not
-- written yet is counted as if it were.
DROP FUNCTION IF EXISTS member_allowance;
DROP FUNCTION IF EXISTS pool_grants;
DROP FUNCTION IF EXISTS stored_grants;
DROP FUNCTION IF EXISTS grants_as_of;
DROP FUNCTION IF EXISTS due_grants;
DROP FUNCTION IF EXISTS write_due_grants;
DROP FUNCTION IF EXISTS owed_glasses;
DROP FUNCTION IF EXISTS settle_owed;
DROP FUNCTION IF EXISTS take_glasses;
DROP FUNCTION IF EXISTS open_pool;
DROP FUNCTION IF EXISTS hold_glass;
DROP FUNCTION IF EXISTS ledger_instant;
DROP FUNCTION IF EXISTS may_share;
DROP FUNCTION IF EXISTS rollover_limit;
DROP FUNCTION IF EXISTS pool_period;

-- The billing period of a member's own membership at an instant, as venuePeriod() and cardPeriod() say. Without a
-- membership it is the calendar's, and there is no access. A card period that is over and was not renewed yet is followed by
-- the next one all the same, with the tier that is scheduled for its start.
CREATE FUNCTION pool_period(p_customer uuid, p_now timestamptz, p_zone text)
RETURNS TABLE (membership_id uuid, access boolean, by_card boolean, tier text, period date, starts timestamptz, ends timestamptz,
               first_period date, prior_period date)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  of record;
  since date;
  today date;
  months integer;
BEGIN
  SELECT c.status = 'active' AS active, c.tier, c.member_since, m.id, m.start_date, m.counted_from, m.began_at, m.ends_on,
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
    access := of.active AND of.id IS NOT NULL AND coalesce(today < of.ends_on, true);
    -- Whole months since the membership began, always counted from that day: 31 Jan, 28 Feb, 31 Mar.
    months := ((extract(year FROM today) - extract(year FROM since)) * 12
               + extract(month FROM today) - extract(month FROM since))::integer;
    IF (since + make_interval(months => months))::date > today THEN
      months := months - 1;
    END IF;
    period := (since + make_interval(months => months))::date;
    first_period := coalesce(of.counted_from, since);
    prior_period := (since + make_interval(months => months - 1))::date;
    starts := period::timestamp AT TIME ZONE p_zone;
    ends := (since + make_interval(months => months + 1)) AT TIME ZONE p_zone;
    -- Of the first month, what is left of it: glasses of an earlier membership that day were others.
    IF period = since AND of.began_at > starts AND of.began_at < ends THEN
      starts := of.began_at;
    END IF;
  END IF;
  RETURN NEXT;
END
$$;

-- How many glasses of a period that begins then roll over, at most.
CREATE FUNCTION rollover_limit(p_tier text, p_starts timestamptz) RETURNS integer LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT r.glasses FROM tier_rollover r WHERE r.tier_name = p_tier AND r.since <= p_starts
                    ORDER BY r.since DESC LIMIT 1), 0);
END
$$;

-- All grants as they stand: what they give with all changes, what pours, guests and owed glasses took, and what is left, never
-- below 0. What was voided from p_voids_before on still counts as poured. turn is the order in which they are spent. Plain SQL, so
-- that Postgres puts it into the statement that asks, and looks at no more grants than that wants.
CREATE FUNCTION grants_as_of(p_now timestamptz, p_voids_before timestamptz DEFAULT 'infinity')
RETURNS TABLE (membership_id uuid, period date,
               id uuid, kind text, turn integer, given_id uuid, tier text, glasses integer, rollable integer, paid boolean,
               poured integer, held integer, owed integer, left_over integer, valid_from timestamptz, valid_until timestamptz)
LANGUAGE sql STABLE AS $$
  SELECT g.membership_id, g.period, g.id, g.kind,
         CASE g.kind WHEN 'rollover' THEN 1 WHEN 'period' THEN 3 WHEN 'advance' THEN 3 ELSE 2 END, g.given_id,
         coalesce(c.tier, g.tier), g.glasses + coalesce(c.glasses, 0), greatest(0, g.rollable + coalesce(c.rollable, 0)),
         g.kind <> 'advance' OR coalesce(c.paid, false),
         coalesce(d.poured, 0), coalesce(d.held, 0), coalesce(d.owed, 0),
         greatest(0, g.glasses + coalesce(c.glasses, 0) - coalesce(d.poured + d.held + d.owed, 0)),
         g.valid_from, coalesce(c.valid_until, g.valid_until)
    FROM glass_grant g
    LEFT JOIN LATERAL (
      SELECT sum(x.glasses)::integer AS glasses, sum(x.rollable)::integer AS rollable, bool_or(x.kind = 'paid') AS paid,
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
                  -- Paid after all: nothing is owed any more.
                  ELSE NOT EXISTS (SELECT 1 FROM glass_change p WHERE p.grant_id = b.owed_grant_id AND p.kind = 'paid') END) d ON true
$$;

-- Those of one period of a membership.
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

-- The grants that are due at an instant and not written yet: of each month at the venue up to the running one, of the running
-- period by card the share that is given before its charge is paid, and what rolled over into the running period.
CREATE FUNCTION due_grants(p_customer uuid, p_now timestamptz, p_zone text) RETURNS SETOF glass_grant
LANGUAGE plpgsql STABLE ROWS 1 AS $$
DECLARE
  of record;
  last record;
  before record;
  due glass_grant;
  skipped glass_grant;
  month date;
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
      due.glasses := least(monthly, ceil(monthly * due.grace_days * 86400 / extract(epoch FROM of.ends - of.starts))::integer);
      due.rollable := rollover_limit(of.tier, of.starts);
      due.id := gen_random_uuid();
      RETURN NEXT due;
    ELSE
      due.kind := 'period';
      due.glasses := monthly;
      FOR month IN
        SELECT (m.start_date + make_interval(months => n))::date
          FROM memberships m CROSS JOIN LATERAL generate_series(0,
                 ((extract(year FROM of.period) - extract(year FROM m.start_date)) * 12
                  + extract(month FROM of.period) - extract(month FROM m.start_date))::integer) n
         WHERE m.id = of.membership_id AND (m.start_date + make_interval(months => n))::date >= of.first_period
           AND (last.period IS NULL OR (m.start_date + make_interval(months => n))::date > last.period)
         ORDER BY 1
      LOOP
        skipped := due;
        due.period := month;
        SELECT p.starts, p.ends INTO due.valid_from, due.valid_until
          FROM pool_period(p_customer, month::timestamp AT TIME ZONE p_zone, p_zone) p;
        due.rollable := rollover_limit(of.tier, due.valid_from);
        due.id := gen_random_uuid();
        RETURN NEXT due;
      END LOOP;
    END IF;
  END IF;
  -- Most venues let none roll over, and pay nothing for it here.
  IF NOT EXISTS (SELECT 1 FROM tier_rollover)
     OR EXISTS (SELECT 1 FROM glass_grant g
                 WHERE g.membership_id = of.membership_id AND g.period = of.period AND g.kind = 'rollover') THEN
    RETURN;
  END IF;
  IF skipped.id IS NOT NULL THEN
    due.glasses := least(skipped.rollable, skipped.glasses);
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

-- The glasses that were drunk of each grant that a member never paid, and that no later grant has made up for. One that may still
-- be paid is among them: then its debits lapse.
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
                 -- A pour that is voided once its period is over stays owed.
                 AND NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = d.pour_id AND v.created_at < g.valid_until))
             -- A tier change within it was paid at once.
             - (SELECT coalesce(sum(x.glasses), 0)::integer FROM glass_change x
                 WHERE x.grant_id = g.id AND x.kind = 'tier_change' AND x.glasses > 0))
           -- What a grant made up for that was never paid itself is still owed.
           - (SELECT coalesce(sum(d.glasses), 0)::integer FROM glass_debit d JOIN glass_grant made ON made.id = d.grant_id
               WHERE d.owed_grant_id = g.id
                 AND (made.id = p_except OR made.kind <> 'advance'
                      OR EXISTS (SELECT 1 FROM glass_change p WHERE p.grant_id = made.id AND p.kind = 'paid'))) AS glasses
      FROM glass_grant g
     WHERE g.customer_id = p_customer AND g.kind = 'advance' AND g.id IS DISTINCT FROM p_except
       AND NOT EXISTS (SELECT 1 FROM glass_change p WHERE p.grant_id = g.id AND p.kind = 'paid')) unpaid
   WHERE unpaid.glasses > 0;
END
$$;

-- Takes what a member owes from a new grant, or from one that was just paid, as far as it goes. The oldest first.
CREATE FUNCTION settle_owed(p_grant uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  new glass_grant;
  left_over integer;
  debt record;
BEGIN
  SELECT * INTO new FROM glass_grant WHERE id = p_grant;
  IF NOT EXISTS (SELECT 1 FROM glass_grant g WHERE g.customer_id = new.customer_id AND g.kind = 'advance' AND g.id <> new.id) THEN
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

-- Writes what is due. The caller holds the pool's lock.
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
    -- A change of the tier's glasses corrects the grants that are there: it comes before these, or after.
    PERFORM 1 FROM tier_definitions t WHERE t.tier_name = of_tier FOR KEY SHARE;
    FOR due IN SELECT * FROM due_grants(p_customer, p_now, p_zone) ORDER BY valid_from, kind LOOP
      -- What rolls over is known once the period before is written.
      CONTINUE WHEN due.kind = 'rollover' AND wrote;
      INSERT INTO glass_grant SELECT due.* ON CONFLICT DO NOTHING;
      IF due.kind <> 'rollover' THEN
        wrote := true;
        PERFORM settle_owed(due.id);
      END IF;
      -- Of a month that is over already, where nothing wrote it in time.
      PERFORM touch_report_day(due.valid_until);
    END LOOP;
    EXIT WHEN NOT wrote;
  END LOOP;
END $$;

-- The grants of a member's running period as they stand, and those that are due as if they were written: their ids are null.
CREATE FUNCTION pool_grants(p_customer uuid, p_membership uuid, p_period date, p_now timestamptz, p_zone text)
RETURNS TABLE (id uuid, kind text, turn integer, given_id uuid, glasses integer, paid boolean, poured integer, held integer, owed integer,
               left_over integer, valid_from timestamptz)
LANGUAGE plpgsql STABLE ROWS 4 AS $$
#variable_conflict use_column
DECLARE
  due glass_grant;
  debt integer;
  has_period boolean := false;
  has_rollover boolean := false;
BEGIN
  FOR id, kind, turn, given_id, glasses, paid, poured, held, owed, left_over, valid_from IN
    SELECT s.id, s.kind, s.turn, s.given_id, s.glasses, s.paid, s.poured, s.held, s.owed, s.left_over, s.valid_from
      FROM stored_grants(p_membership, p_period, p_now) s LOOP
    has_period := has_period OR turn = 3;
    has_rollover := has_rollover OR turn = 1;
    RETURN NEXT;
  END LOOP;
  IF has_period AND (has_rollover OR NOT EXISTS (SELECT 1 FROM tier_rollover)) THEN
    RETURN;
  END IF;
  FOR due IN SELECT * FROM due_grants(p_customer, p_now, p_zone) ORDER BY valid_from LOOP
    IF debt IS NULL AND due.kind <> 'rollover' THEN
      SELECT coalesce(sum(o.glasses), 0) INTO debt FROM owed_glasses(p_customer) o;
    END IF;
    id := NULL;
    kind := due.kind;
    turn := CASE due.kind WHEN 'rollover' THEN 1 ELSE 3 END;
    given_id := NULL;
    glasses := due.glasses;
    paid := due.kind <> 'advance';
    poured := 0;
    held := 0;
    owed := CASE WHEN due.kind = 'rollover' THEN 0 ELSE least(due.glasses, debt) END;
    left_over := due.glasses - owed;
    valid_from := due.valid_from;
    debt := debt - owed;
    IF due.period = p_period THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END
$$;

-- What a member may pour now: available, never below 0, and 0 without access. period_pours is what the period gives so far,
-- and when_paid how many more it gives once its regular charge is paid. pours_used are the period's pours with carried, those of an earlier
-- one that nobody paid for. held is what waits for guests, rolled what rolled over into the period, and rolled_left what of that is
-- available. grants is the list behind the number: { kind, occasion, pours, until } of each that has some left, in the order
-- in which they are spent. Of a partner it is all the household's (household.sql).
CREATE FUNCTION member_allowance(p_customer uuid, p_now timestamptz, p_zone text)
RETURNS TABLE (access boolean, period_pours integer, pours_used integer, available integer, when_paid integer,
               carried integer, held integer, rolled integer, rolled_left integer,
               period_start timestamptz, period_end timestamptz, grants jsonb)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  of record;
  paid boolean;
BEGIN
  IF EXISTS (SELECT 1 FROM household_seat h WHERE h.customer_id = p_customer AND h.ended_at IS NULL) THEN
    RETURN QUERY SELECT * FROM partner_allowance(p_customer, p_now, p_zone);
    RETURN;
  END IF;
  SELECT * INTO of FROM pool_period(p_customer, p_now, p_zone);
  IF NOT FOUND THEN
    RETURN;
  END IF;
  access := of.access;
  period_start := of.starts;
  period_end := of.ends;
  SELECT coalesce(sum(g.glasses), 0), coalesce(sum(g.poured + g.owed), 0), coalesce(sum(g.left_over), 0), coalesce(sum(g.owed), 0),
         coalesce(sum(g.held), 0), coalesce(sum(g.glasses) FILTER (WHERE g.kind = 'rollover'), 0),
         coalesce(sum(g.left_over) FILTER (WHERE g.kind = 'rollover'), 0), coalesce(bool_and(g.paid), NOT of.by_card),
         coalesce(jsonb_agg(jsonb_build_object(
             'kind', CASE WHEN g.kind = 'advance' AND g.paid THEN 'period' ELSE g.kind END,
             'occasion', k.kind, 'pours', g.left_over, 'until', to_char(of.ends AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
           ORDER BY g.turn, g.valid_from, g.id) FILTER (WHERE g.left_over > 0 AND of.access), '[]')
    INTO period_pours, pours_used, available, carried, held, rolled, rolled_left, paid, grants
    FROM pool_grants(p_customer, of.membership_id, of.period, p_now, p_zone) g LEFT JOIN celebration k ON k.gift_id = g.given_id AND k.customer_id = p_customer;
  IF NOT of.access THEN
    available := 0;
    rolled_left := 0;
  END IF;
  when_paid := 0;
  IF NOT paid THEN
    -- The rest of the tier that the period began with, whatever staff took back of it and a change of tier added.
    SELECT greatest(0, t.monthly_pours - coalesce(own.glasses, 0)) INTO when_paid
      FROM (SELECT max(s.tier) AS tier, sum(g.glasses - coalesce((
                     SELECT sum(x.glasses) FROM glass_change x WHERE x.grant_id = g.id AND x.kind IN ('correction', 'tier_change')), 0)) AS glasses
              FROM pool_grants(p_customer, of.membership_id, of.period, p_now, p_zone) g
              LEFT JOIN stored_grants(of.membership_id, of.period, p_now) s ON s.id = g.id
             WHERE g.kind = 'advance') own
      JOIN tier_definitions t ON t.tier_name = coalesce(own.tier, of.tier);
  END IF;
  RETURN NEXT;
END
$$;

-- A pool that glasses are about to be taken from or given to: writes what is due, and answers the running period and the grants that have
-- some left, in the order in which they are spent: what ends first, then what rolled over, what the club gave, and the month's own,
-- the older first. The caller holds the pool's lock.
CREATE FUNCTION open_pool(p_pool uuid, p_now timestamptz, p_zone text)
RETURNS TABLE (membership_id uuid, access boolean, tier text, period date, ends timestamptz,
               sources uuid[], lefts integer[], available integer) LANGUAGE plpgsql ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  has_period boolean;
  has_rollover boolean;
  wrote boolean := false;
BEGIN
  SELECT p.membership_id, p.access, p.tier, p.period, p.ends INTO membership_id, access, tier, period, ends
    FROM pool_period(p_pool, p_now, p_zone) p;
  LOOP
    SELECT array_agg(s.id ORDER BY s.valid_until, s.turn, s.valid_from, s.id) FILTER (WHERE s.left_over > 0),
           array_agg(s.left_over ORDER BY s.valid_until, s.turn, s.valid_from, s.id) FILTER (WHERE s.left_over > 0),
           coalesce(sum(s.left_over), 0), coalesce(bool_or(s.turn = 3), false), coalesce(bool_or(s.turn = 1), false)
      INTO sources, lefts, available, has_period, has_rollover
      FROM stored_grants(membership_id, period, p_now) s;
    EXIT WHEN wrote OR NOT access OR has_period AND (has_rollover OR NOT EXISTS (SELECT 1 FROM tier_rollover));
    PERFORM write_due_grants(p_pool, p_now, p_zone);
    wrote := true;
  END LOOP;
  RETURN NEXT;
END $$;

-- Takes glasses of the sources of an open pool, in their order, for a pour or for a guest. The caller knows that there are enough.
CREATE FUNCTION take_glasses(p_sources uuid[], p_lefts integer[], p_glasses integer, p_pour uuid, p_guest_glass uuid)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  wanted integer := p_glasses;
BEGIN
  FOR nth IN 1 .. coalesce(array_length(p_sources, 1), 0) LOOP
    INSERT INTO glass_debit (grant_id, glasses, pour_id, guest_glass_id)
    VALUES (p_sources[nth], least(wanted, p_lefts[nth]), p_pour, p_guest_glass);
    wanted := wanted - p_lefts[nth];
    EXIT WHEN wanted <= 0;
  END LOOP;
  IF wanted > 0 THEN
    RAISE EXCEPTION 'the ledger has % glasses too few', wanted;
  END IF;
END $$;

-- Holds a glass of the pool for a guest, whose row is there. The caller holds the pool's lock and knows that there is one.
CREATE FUNCTION hold_glass(p_guest_glass uuid, p_now timestamptz, p_zone text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  has record;
BEGIN
  SELECT o.* INTO has FROM guest_glass g CROSS JOIN LATERAL open_pool(g.pool_id, p_now, p_zone) o WHERE g.id = p_guest_glass;
  PERFORM take_glasses(has.sources, has.lefts, 1, NULL, p_guest_glass);
END $$;

-- When something happens in the ledger of a pool: now, or when the newest grant began, by the clock of another server that is
-- ahead. So nothing is taken from a period that gave its glasses to the next. A start more than a week ahead was written while a clock was
-- wrong, and does not count.
CREATE FUNCTION ledger_instant(p_customer uuid, p_now timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN greatest(p_now, (SELECT g.valid_from FROM glass_grant g
                           WHERE g.customer_id = p_customer AND g.valid_from <= p_now + interval '7 days'
                           ORDER BY g.valid_from DESC LIMIT 1));
END $$;

-- Whether two share the glasses of a tier.
CREATE FUNCTION may_share(p_tier text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT t.people > 1 FROM tier_definitions t WHERE t.tier_name = p_tier);
END $$;
