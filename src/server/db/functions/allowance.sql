-- A member's balance: the grants of the ledger (glasses.sql) as the member, staff and programs read them.
DROP FUNCTION IF EXISTS member_allowance, pool_grants;

-- The grants of a member's running period, with those that are due but not written yet: their ids are null.
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

-- A member's balance now; a partner's is that of the whole household (household.sql).
--   available: what can be poured now, never below 0, and 0 without access
--   period_pours: what the period has given so far; when_paid: what it adds once its regular charge is paid
--   pours_used: what was poured since the period began, including carried, the pours of an earlier unpaid period
--   held: what waits for guests
--   rolled: what rolled over into the period; rolled_left: how much of that is available
--   grants: { kind, occasion, pours, until } of each grant with glasses left, in the order in which they are spent
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
             'kind', CASE WHEN g.turn = 3 THEN CASE WHEN g.paid THEN 'period' ELSE 'advance' END ELSE g.kind END,
             'occasion', k.kind, 'pours', g.left_over, 'until', to_char(of.ends AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
           ORDER BY g.turn, g.valid_from, g.id) FILTER (WHERE g.left_over > 0 AND of.access), '[]')
    INTO period_pours, pours_used, available, carried, held, rolled, rolled_left, paid, grants
    FROM pool_grants(p_customer, of.membership_id, of.period, p_now, p_zone) g LEFT JOIN celebration k ON k.given_id = g.given_id AND k.customer_id = p_customer;
  IF NOT of.access THEN
    available := 0;
    rolled_left := 0;
  END IF;
  when_paid := 0;
  IF NOT paid THEN
    -- The rest of the period's first tier, regardless of glasses taken back by staff and tier changes. At the venue, the tier of
    -- now: a payment makes the month one of that.
    SELECT greatest(0, t.monthly_pours - coalesce(own.glasses, 0)) INTO when_paid
      FROM (SELECT max(s.tier) AS tier, sum(g.glasses - coalesce((
                     SELECT sum(x.glasses) FROM glass_change x WHERE x.grant_id = g.id AND x.kind IN ('correction', 'tier_change')), 0)) AS glasses
              FROM pool_grants(p_customer, of.membership_id, of.period, p_now, p_zone) g
              LEFT JOIN stored_grants(of.membership_id, of.period, p_now) s ON s.id = g.id
             WHERE g.turn = 3) own
      JOIN tier_definitions t ON t.tier_name = CASE WHEN of.by_card THEN coalesce(own.tier, of.tier) ELSE of.tier END;
  END IF;
  RETURN NEXT;
END
$$;
