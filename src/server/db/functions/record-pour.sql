-- Records a pour: lock the pool and the member, look for a repeated request, decide, insert, update the member. The first
-- of a period also writes down what rolled over into it. The rule is
-- decidePour() in src/domain/allowance.ts; tests/server/pours/allowance-agreement.test.ts holds the two together.
--
-- input: { pour: a row of pours, time_zone: IANA name, guest_glass_id: of a glass that the member gave to a guest,
-- session: what the caller knows of the session in whose name it pours (session_stands in sign-in.sql) }. The row's created_at is the time of the decision, or the start of
-- the period that gave the glass, where that came while the call waited for the member: else it would count in no period,
-- or in the one before.
-- answer: { outcome, available, pour, voided, announcement }. outcome is recorded, repeated, reused (the request_id of another
-- pour), not_found, not_active, session_changed, guest_glass (reason says why it cannot be poured) or exceeded. available is what is left afterwards. pour is the row in the ledger, and
-- voided whether it was voided since; both only when recorded or repeated. announcement is what the caller passes on to
-- the member's open pages after the commit, when recorded (announcements.sql).
DROP FUNCTION IF EXISTS record_pour;

CREATE FUNCTION record_pour(input jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  wanted pours := jsonb_populate_record(NULL::pours, input->'pour');
  earlier pours;
  member customers;
  announced text;
  has record;
  guest guest_glass;
  reason text;
  last_rolled timestamptz;
  pool uuid := lock_pool(wanted.customer_id);
BEGIN
  -- Under the member's lock, for which it may have waited.
  IF input->'session' IS NOT NULL AND NOT session_stands(input->'session') THEN
    RETURN jsonb_build_object('outcome', 'session_changed');
  END IF;
  IF pool IS NULL THEN
    RETURN jsonb_build_object('outcome', 'not_found');
  END IF;
  -- Once glasses rolled over into a period, nothing is poured from the one before, which gave them away.
  SELECT max(r.period_starts_at) INTO last_rolled FROM allowance_rollover r WHERE r.customer_id = pool;
  wanted.created_at := greatest(wanted.created_at, last_rolled);
  SELECT access, available, tier_max, pours_used, period_start, rolled INTO has
    FROM member_allowance(wanted.customer_id, wanted.created_at, input->>'time_zone');
  SELECT * INTO earlier FROM pours WHERE request_id = wanted.request_id;
  IF FOUND THEN
    -- A place may be renamed between the two, so either its id or its words are enough.
    IF (earlier.customer_id, earlier.quantity) IS DISTINCT FROM (wanted.customer_id, wanted.quantity)
       OR earlier.place IS DISTINCT FROM wanted.place
          AND (earlier.location, earlier.place_name) IS DISTINCT FROM (wanted.location, wanted.place_name) THEN
      RETURN jsonb_build_object('outcome', 'reused');
    END IF;
    RETURN jsonb_build_object('outcome', 'repeated', 'available', has.available, 'pour', to_jsonb(earlier),
      'voided', EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = earlier.id));
  END IF;
  IF NOT has.access THEN
    RETURN jsonb_build_object('outcome', 'not_active');
  END IF;
  IF input->>'guest_glass_id' IS NOT NULL THEN
    SELECT * INTO guest FROM guest_glass
     WHERE id = (input->>'guest_glass_id')::uuid AND customer_id = wanted.customer_id FOR UPDATE;
    -- guestGlassObstacle() in src/domain/membership/guest-glass.ts.
    reason := CASE WHEN guest.id IS NULL OR wanted.quantity <> 1 THEN 'unknown'
                   WHEN guest.pour_id IS NOT NULL THEN 'used'
                   WHEN guest.withdrawn_at IS NOT NULL THEN 'withdrawn'
                   WHEN guest.expires_at <= wanted.created_at OR guest.created_at < has.period_start THEN 'expired'
                   WHEN guest.age_stated_at IS NULL THEN 'age_not_stated' END;
    IF reason IS NOT NULL THEN
      RETURN jsonb_build_object('outcome', 'guest_glass', 'reason', reason);
    END IF;
    -- It was held, so it is not among those that are available.
    IF has.tier_max <= has.pours_used THEN
      RETURN jsonb_build_object('outcome', 'exceeded', 'available', 0);
    END IF;
  ELSIF wanted.quantity > has.available THEN
    RETURN jsonb_build_object('outcome', 'exceeded', 'available', has.available);
  END IF;
  wanted.created_at := greatest(wanted.created_at, has.period_start);
  wanted.pool_id := nullif(pool, wanted.customer_id);
  -- Not written again with each pour of the period.
  IF has.rolled > 0 AND has.period_start IS DISTINCT FROM last_rolled THEN
    INSERT INTO allowance_rollover (customer_id, period_starts_at, from_starts_at, tier, glasses, created_at)
    SELECT pool, has.period_start, r.from_starts_at, r.tier, r.glasses, wanted.created_at
      FROM rolled_over(pool, has.period_start, input->>'time_zone') r
        ON CONFLICT DO NOTHING;
  END IF;
  -- A trace, not a condition: what is no card of this member is left out, and the glass is recorded all the same.
  IF wanted.paper_card_id IS NOT NULL THEN
    wanted.paper_card_id := (SELECT id FROM paper_card
                              WHERE id = wanted.paper_card_id AND customer_id = wanted.customer_id);
  END IF;
  -- The same for the wine: one that the venue never had is left out, one that is finished by now stays, with its bottle.
  IF wanted.wine_id IS NOT NULL THEN
    SELECT w.id, (SELECT b.id FROM bottle b WHERE b.wine_id = w.id ORDER BY b.opened_at DESC, b.id DESC LIMIT 1)
      INTO wanted.wine_id, wanted.bottle_id FROM wine w WHERE w.id = wanted.wine_id;
  END IF;
  -- The caller announces it. Not as a setting of the function: that takes a superuser for a name of our own.
  announced := set_config('cellar_door.announced', 'by the caller', true);
  INSERT INTO pours SELECT wanted.*;
  announced := set_config('cellar_door.announced', '', true);
  IF guest.id IS NOT NULL THEN
    UPDATE guest_glass SET pour_id = wanted.id WHERE id = guest.id;
  END IF;
  UPDATE customers
     SET total_pours_lifetime = total_pours_lifetime + wanted.quantity, last_activity = wanted.created_at
   WHERE id = wanted.customer_id RETURNING * INTO member;
  RETURN jsonb_build_object('outcome', 'recorded', 'available', has.available - CASE WHEN guest.id IS NULL THEN wanted.quantity ELSE 0 END,
    'pour', to_jsonb(wanted), 'voided', false, 'announcement', ledger_announcement(member));
END $$;
