-- Voids a pour: locks the pool and the member, as record_pour does, then adds the void. The rule is voidNeedsReason() in
-- src/domain/pour.ts; tests/server/pours/pour-voids.test.ts compares the two.
--
-- input: { void, undo_seconds, time_zone, session }
--   void: a row of pour_voids; its created_at is the time of the decision, its reason null for none
--   time_zone, session: as in record_pour
-- answer: { outcome, available, announcement, other }
--   outcome: voided, already, needs_reason, not_found or session_changed
--   available, when voided or already: the pours that the member then has left
--   announcement, when voided: for the caller to pass on to the member's open pages after the commit (announcements.sql)
--   other, when a pour that another staff member recorded is voided: { user_id, glasses, recorded_by_id } for the audit
DROP FUNCTION IF EXISTS void_pour;

CREATE FUNCTION void_pour(input jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  void pour_voids := jsonb_populate_record(NULL::pour_voids, input->'void');
  poured pours;
  member customers;
  announced text;
  outcome text := 'already';
BEGIN
  SELECT * INTO poured FROM pours WHERE id = void.pour_id;
  IF NOT FOUND THEN
    RETURN jsonb_build_object('outcome', 'not_found');
  END IF;
  PERFORM 1 FROM customers WHERE id = coalesce(poured.pool_id, poured.customer_id) FOR NO KEY UPDATE;
  IF poured.pool_id IS NOT NULL THEN
    PERFORM 1 FROM customers WHERE id = poured.customer_id FOR NO KEY UPDATE;
  END IF;
  -- Checked under the locks, after any wait for them, like record_pour.
  IF input->'session' IS NOT NULL AND NOT session_stands(input->'session') THEN
    RETURN jsonb_build_object('outcome', 'session_changed');
  END IF;
  IF NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = poured.id) THEN
    IF void.reason IS NULL AND (poured.recorded_by_staff_id <> void.voided_by_staff_id
        OR void.created_at > coalesce(poured.recorded_at, poured.created_at) + make_interval(secs => (input->>'undo_seconds')::integer)) THEN
      RETURN jsonb_build_object('outcome', 'needs_reason');
    END IF;
    -- The caller announces it, like record_pour.
    announced := set_config('cellar_door.announced', 'by the caller', true);
    INSERT INTO pour_voids SELECT void.*;
    announced := set_config('cellar_door.announced', '', true);
    UPDATE customers SET total_pours_lifetime = greatest(0, total_pours_lifetime - poured.quantity)
     WHERE id = poured.customer_id RETURNING * INTO member;
    PERFORM touch_report_day(VARIADIC poured.created_at
              || grant_ends(VARIADIC ARRAY(SELECT d.grant_id FROM glass_debit d WHERE d.pour_id = poured.id)));
    outcome := 'voided';
  END IF;
  RETURN jsonb_build_object('outcome', outcome,
    'announcement', CASE WHEN outcome = 'voided' THEN ledger_announcement(member) END,
    'other', CASE WHEN outcome = 'voided' AND poured.recorded_by_staff_id <> void.voided_by_staff_id THEN
      jsonb_build_object('user_id', member.user_id, 'glasses', poured.quantity,
                         'recorded_by_id', poured.recorded_by_staff_id) END,
    'available',
    (SELECT a.available FROM member_allowance(poured.customer_id, void.created_at, input->>'time_zone') a));
END $$;
