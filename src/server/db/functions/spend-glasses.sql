-- Taking glasses from the ledger (glasses.sql), for a pour or for a guest, and the instant it is dated.
DROP FUNCTION IF EXISTS take_glasses, open_pool, past_pool, hold_glass, ledger_instant, may_share;

-- Prepares a pool for taking or giving glasses: writes the grants that are due, and returns the running period and the
-- grants with glasses left, in spending order: earliest end first, then rollovers, given glasses, and the month's own,
-- older first. The caller holds the pool's lock.
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

-- The paid period of a pool that was running when a pour was made which arrives late, with what it can still give: what is
-- left and did not roll over. Read once the grants that are due are written, so that what rolled over is known.
-- A membership that has ended since counts to the end of its last day.
CREATE FUNCTION past_pool(p_pool uuid, p_pour pours, p_zone text)
RETURNS TABLE (membership_id uuid, period date, sources uuid[], lefts integer[], available integer)
LANGUAGE plpgsql STABLE ROWS 1 AS $$
#variable_conflict use_column
DECLARE
  day date := (p_pour.created_at AT TIME ZONE p_zone)::date;
  of record;
BEGIN
  SELECT s.membership_id, s.period, s.tier, s.paid INTO of
    FROM memberships m JOIN grants_as_of(p_pour.recorded_at) s ON s.membership_id = m.id
   WHERE m.customer_id = p_pool AND s.turn = 3 AND s.valid_from <= p_pour.created_at AND s.valid_until > p_pour.created_at
     AND coalesce(day < least(m.ends_on, m.grace_until), true) AND coalesce(day <= m.end_date, true)
   ORDER BY s.valid_from DESC LIMIT 1;
  IF NOT FOUND OR NOT of.paid OR p_pool <> p_pour.customer_id AND NOT (may_share(of.tier) AND EXISTS (
       SELECT 1 FROM household_seat h WHERE h.customer_id = p_pour.customer_id AND h.holder_id = p_pool AND h.joined_at <= p_pour.created_at)) THEN
    RETURN;
  END IF;
  membership_id := of.membership_id;
  period := of.period;
  SELECT array_agg(s.id ORDER BY s.valid_until, s.turn, s.valid_from, s.id) FILTER (WHERE s.left_over > 0),
         array_agg(s.left_over ORDER BY s.valid_until, s.turn, s.valid_from, s.id) FILTER (WHERE s.left_over > 0),
         greatest(0, coalesce(sum(s.left_over), 0) - coalesce((
           SELECT r.glasses FROM glass_grant r
            WHERE r.membership_id = of.membership_id AND r.kind = 'rollover' AND r.period = (
                    SELECT min(n.period) FROM glass_grant n
                     WHERE n.membership_id = of.membership_id AND n.kind IN ('period', 'advance') AND n.period > of.period)), 0))
    INTO sources, lefts, available
    FROM stored_grants(of.membership_id, of.period, p_pour.recorded_at) s;
  RETURN NEXT;
END $$;

-- Takes glasses from an open pool's sources in order, for a pour or a guest. The caller has checked that there are enough.
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

-- Holds a glass of the pool for a guest with an existing row. The caller holds the pool's lock and has checked that a glass
-- is left.
CREATE FUNCTION hold_glass(p_guest_glass uuid, p_now timestamptz, p_zone text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  has record;
BEGIN
  SELECT o.* INTO has FROM guest_glass g CROSS JOIN LATERAL open_pool(g.pool_id, p_now, p_zone) o WHERE g.id = p_guest_glass;
  PERFORM take_glasses(has.sources, has.lefts, 1, NULL, p_guest_glass);
END $$;

-- The instant for a change in a pool's ledger: now, or the start of the newest grant, if another server's clock is ahead.
-- This way a period is not spent from after its rollover. A start more than a week ahead comes from a wrong clock, and is
-- ignored.
CREATE FUNCTION ledger_instant(p_customer uuid, p_now timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN greatest(p_now, (SELECT g.valid_from FROM glass_grant g
                           WHERE g.customer_id = p_customer AND g.valid_from <= p_now + interval '7 days'
                           ORDER BY g.valid_from DESC LIMIT 1));
END $$;

-- Whether a tier allows two people to share its glasses.
CREATE FUNCTION may_share(p_tier text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT t.people > 1 FROM tier_definitions t WHERE t.tier_name = p_tier);
END $$;
