-- Takes a pour back: lock the member, as record_pour does, then add the void. The same rule as
-- src/domain/pour.ts (voidNeedsReason), to which a property test holds it.
-- outcome: voided, already, needs_reason, not_found; available is what the member has left afterwards.
CREATE FUNCTION void_pour(
  p_pour uuid, p_staff uuid, p_reason text, p_undo_seconds integer, p_now timestamptz, p_zone text)
RETURNS TABLE (outcome text, available integer)
LANGUAGE plpgsql AS $$
DECLARE
  poured pours%ROWTYPE;
  result text := 'already';
BEGIN
  SELECT * INTO poured FROM pours WHERE id = p_pour;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'not_found', 0;
    RETURN;
  END IF;
  PERFORM 1 FROM customers WHERE id = poured.customer_id FOR NO KEY UPDATE;
  IF NOT EXISTS (SELECT 1 FROM pour_voids v WHERE v.pour_id = p_pour) THEN
    IF p_reason IS NULL AND (poured.recorded_by_staff_id <> p_staff
        OR p_now > poured.created_at + make_interval(secs => p_undo_seconds)) THEN
      RETURN QUERY SELECT 'needs_reason', 0;
      RETURN;
    END IF;
    INSERT INTO pour_voids (pour_id, reason, voided_by_staff_id, created_at)
    VALUES (p_pour, p_reason, p_staff, p_now);
    UPDATE customers SET total_pours_lifetime = greatest(0, total_pours_lifetime - poured.quantity)
     WHERE id = poured.customer_id;
    result := 'voided';
  END IF;
  RETURN QUERY SELECT result, CASE WHEN a.access THEN greatest(0, a.tier_max - a.pours_used) ELSE 0 END
    FROM member_allowance(poured.customer_id, p_now, p_zone) a;
END $$;
