-- Records a pour: locks the pool and the member, writes the grants that are due, looks for a repeated request, decides,
-- inserts, spends, updates the member.
--
-- input: { pour, time_zone, guest_glass_id, session }
--   pour: a row of pours. Its created_at is when it was poured; its recorded_at, null for a pour recorded at once, is the
--     time of the decision for one that waited for a network
--   time_zone: IANA name
--   guest_glass_id: the id of a glass that the member gave to a guest, if it is poured
--   session: what the caller knows of the session in whose name it pours (session_stands in sign-in.sql)
-- answer: { outcome, available, reason, pour, voided, announcement }
--   outcome: recorded, repeated, reused (the request_id of another pour), not_found, not_active, session_changed, exceeded,
--     or guest_glass (reason says why that glass cannot be poured)
--   available, when recorded, repeated or exceeded: the pours that the member then has left
--   pour, when recorded or repeated: the row in the ledger. Its created_at is that of the input or, for one recorded at once
--     and if later, the start of the newest grant (ledger_instant in spend-glasses.sql)
--   voided, when recorded or repeated: whether the pour has been voided since
--   announcement, when recorded: for the caller to pass on to the member's open pages after the commit (announcements.sql)
DROP FUNCTION IF EXISTS record_pour;

CREATE FUNCTION record_pour(input jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  wanted pours := jsonb_populate_record(NULL::pours, input->'pour');
  earlier pours;
  member customers;
  announced text;
  has record;
  guest guest_glass;
  held uuid;
  covers integer;
  reason text;
  pool uuid := lock_pool(wanted.customer_id);
  is_late boolean := wanted.recorded_at IS NOT NULL;
  decided timestamptz;
  past record;
BEGIN
  -- Checked under the member's lock, after any wait for it.
  IF input->'session' IS NOT NULL AND NOT session_stands(input->'session') THEN
    RETURN jsonb_build_object('outcome', 'session_changed');
  END IF;
  IF pool IS NULL THEN
    RETURN jsonb_build_object('outcome', 'not_found');
  END IF;
  decided := ledger_instant(pool, coalesce(wanted.recorded_at, wanted.created_at));
  IF NOT is_late THEN
    wanted.created_at := decided;
  END IF;
  SELECT * INTO has FROM open_pool(pool, decided, input->>'time_zone');
  IF NOT (has.access AND (pool = wanted.customer_id OR may_share(has.tier))) THEN
    has.access := false;
    has.available := 0;
  END IF;
  SELECT * INTO earlier FROM pours WHERE request_id = wanted.request_id;
  IF FOUND THEN
    -- A place may be renamed between the two, so its id or its name is enough.
    IF (earlier.customer_id, earlier.quantity) IS DISTINCT FROM (wanted.customer_id, wanted.quantity)
       OR earlier.place IS DISTINCT FROM wanted.place
          AND (earlier.location, earlier.place_name) IS DISTINCT FROM (wanted.location, wanted.place_name) THEN
      RETURN jsonb_build_object('outcome', 'reused');
    END IF;
    RETURN jsonb_build_object('outcome', 'repeated', 'available', has.available, 'pour', to_jsonb(earlier),
      'voided', EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = earlier.id));
  END IF;
  IF is_late THEN
    SELECT * INTO past FROM past_pool(pool, wanted, input->>'time_zone');
    -- The period in which it was poured, if it is over and still has enough; otherwise the running one.
    IF past.available >= wanted.quantity
       AND (NOT has.access OR (past.membership_id, past.period) IS DISTINCT FROM (has.membership_id, has.period)) THEN
      has.access := true;
      has.membership_id := past.membership_id;
      has.period := past.period;
      has.sources := past.sources;
      has.lefts := past.lefts;
      has.available := past.available;
    END IF;
  END IF;
  IF NOT has.access THEN
    RETURN jsonb_build_object('outcome', 'not_active');
  END IF;
  IF input->>'guest_glass_id' IS NOT NULL THEN
    SELECT * INTO guest FROM guest_glass
     WHERE id = (input->>'guest_glass_id')::uuid AND customer_id = wanted.customer_id FOR UPDATE;
    -- The grant holding the guest's glass, if it belongs to the running period.
    SELECT s.id, s.glasses - s.poured - s.owed INTO held, covers
      FROM stored_grants(has.membership_id, has.period, decided) s JOIN glass_debit d ON d.grant_id = s.id
     WHERE d.guest_glass_id = guest.id;
    -- guestGlassObstacle() in src/domain/membership/guest-glass.ts.
    reason := CASE WHEN guest.id IS NULL OR wanted.quantity <> 1 THEN 'unknown'
                   WHEN guest.pour_id IS NOT NULL THEN 'used'
                   WHEN guest.withdrawn_at IS NOT NULL AND NOT (is_late AND guest.withdrawn_at > wanted.created_at) THEN 'withdrawn'
                   WHEN guest.expires_at <= wanted.created_at OR held IS NULL AND NOT is_late THEN 'expired'
                   WHEN guest.age_stated_at IS NULL THEN 'age_not_stated' END;
    IF reason IS NOT NULL THEN
      RETURN jsonb_build_object('outcome', 'guest_glass', 'reason', reason);
    END IF;
    IF is_late AND (guest.withdrawn_at IS NOT NULL OR guest.expires_at <= decided) THEN
      -- Held when it was poured, and given back since: one of those that are left takes its place.
      held := NULL;
    ELSIF covers < 1 THEN
      RETURN jsonb_build_object('outcome', 'exceeded', 'available', 0);
    END IF;
  END IF;
  IF held IS NULL AND wanted.quantity > has.available THEN
    RETURN jsonb_build_object('outcome', 'exceeded', 'available', has.available);
  END IF;
  wanted.pool_id := nullif(pool, wanted.customer_id);
  -- Only a trace: an id that is not a card of this member is dropped, and the pour is recorded anyway.
  IF wanted.paper_card_id IS NOT NULL THEN
    wanted.paper_card_id := (SELECT id FROM paper_card
                              WHERE id = wanted.paper_card_id AND customer_id = wanted.customer_id);
  END IF;
  -- An unknown wine is dropped; a wine that is finished by now stays, with the bottle open when it was poured.
  IF wanted.wine_id IS NOT NULL THEN
    SELECT w.id, (SELECT b.id FROM bottle b WHERE b.wine_id = w.id
                  ORDER BY is_late AND b.opened_at > wanted.created_at, b.opened_at DESC, b.id DESC LIMIT 1)
      INTO wanted.wine_id, wanted.bottle_id FROM wine w WHERE w.id = wanted.wine_id;
  END IF;
  -- The caller announces it. Set here, because a SET clause on the function requires a superuser for a custom setting.
  announced := set_config('cellar_door.announced', 'by the caller', true);
  INSERT INTO pours SELECT wanted.*;
  announced := set_config('cellar_door.announced', '', true);
  IF guest.id IS NOT NULL THEN
    UPDATE guest_glass SET pour_id = wanted.id WHERE id = guest.id;
  END IF;
  IF held IS NOT NULL THEN
    -- The held glass is the one poured.
    INSERT INTO glass_debit (grant_id, glasses, pour_id) VALUES (held, 1, wanted.id);
  ELSE
    PERFORM take_glasses(has.sources, has.lefts, wanted.quantity, wanted.id, NULL);
  END IF;
  UPDATE customers
     SET total_pours_lifetime = total_pours_lifetime + wanted.quantity, last_activity = decided
   WHERE id = wanted.customer_id RETURNING * INTO member;
  IF wanted.created_at < clock_timestamp() - interval '50 minutes' THEN
    PERFORM touch_report_day(VARIADIC wanted.created_at
              || grant_ends(VARIADIC ARRAY(SELECT d.grant_id FROM glass_debit d WHERE d.pour_id = wanted.id)));
  END IF;
  RETURN jsonb_build_object('outcome', 'recorded', 'available',
    CASE WHEN is_late THEN (SELECT a.available FROM member_allowance(wanted.customer_id, decided, input->>'time_zone') a)
         ELSE has.available - CASE WHEN guest.id IS NULL THEN wanted.quantity ELSE 0 END END,
    'pour', to_jsonb(wanted), 'voided', false, 'announcement', ledger_announcement(member));
END $$;
