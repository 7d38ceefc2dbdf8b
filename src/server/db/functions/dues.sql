-- What is paid at the venue (docs/rules/dues.md). Rows of dues and dues_void are only added; erasing an account removes the
-- texts in them, and undoing an import its rows.
DROP FUNCTION IF EXISTS count_dues, dues_until, moved_by_pauses, last_payment;

-- The end of a payment, or the day of a start, moved by the pauses that its days did not take into account: those recorded
-- later, and those that began after the day from which it paid. A pause moves what is paid when it begins.
CREATE FUNCTION moved_by_pauses(p dues) RETURNS date LANGUAGE plpgsql STABLE AS $$
DECLARE
  moved date := p.paid_until;
  began date := (SELECT start_date FROM memberships WHERE id = p.membership_id);
  pause record;
BEGIN
  FOR pause IN SELECT x.paid_from, x.months FROM dues x
                WHERE x.membership_id = p.membership_id AND x.kind = 'pause'
                  AND ((x.created_at, x.id) > (p.created_at, p.id) OR x.paid_from > p.paid_from)
                ORDER BY x.paid_from, x.created_at, x.id LOOP
    EXIT WHEN pause.paid_from > moved;
    -- Each month of the calendar has one start of the membership's months.
    moved := (began + make_interval(months => pause.months + ((extract(year FROM moved) - extract(year FROM began)) * 12
                                                   + extract(month FROM moved) - extract(month FROM began))::integer))::date;
  END LOOP;
  RETURN moved;
END $$;

-- The first unpaid day of a membership; null if its dues are not counted. Without a payment that is left, a membership that
-- began with one is unpaid from its first day; any other was not counted before.
CREATE FUNCTION dues_until(p_membership uuid) RETURNS date LANGUAGE sql STABLE AS $$
  SELECT coalesce(max(moved_by_pauses(d)) FILTER (WHERE v.dues_id IS NULL),
                  min(d.paid_from) FILTER (WHERE d.paid_from = m.start_date AND m.counted_from IS NULL))
    FROM memberships m JOIN dues d ON d.membership_id = m.id LEFT JOIN dues_void v ON v.dues_id = d.id
   WHERE m.id = p_membership AND d.kind IN ('payment', 'start')
$$;

-- The last payment of a membership: its months, what each that is left costs, and the day from which that is so. The
-- differences to a dearer tier that were paid in it count with their share; one that was shortened, until its end. SECURITY
-- DEFINER: members have no right to dues, which say who recorded them. A member's call gets that member's answer alone.
CREATE FUNCTION last_payment(p_membership uuid) RETURNS TABLE (months smallint, method text, month_cents numeric, since date)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  RETURN QUERY
  SELECT d.months, d.method, d.amount_cents::numeric / d.months + coalesce(x.month_cents, 0), greatest(d.paid_from, x.since)
    FROM memberships m
    JOIN LATERAL (
      SELECT x.amount_cents, x.months, x.method, x.paid_from FROM dues x
       WHERE x.membership_id = m.id AND x.kind = 'payment' AND moved_by_pauses(x) = m.paid_until AND x.months = m.paid_months
         AND NOT EXISTS (SELECT FROM dues_void v WHERE v.dues_id = x.id)
       ORDER BY x.created_at DESC LIMIT 1) d ON true
    CROSS JOIN LATERAL (
      SELECT sum(x.amount_cents::numeric / x.months) FILTER (WHERE x.ends = m.paid_until) AS month_cents,
             max(CASE WHEN x.ends = m.paid_until THEN x.paid_from ELSE x.ends END) AS since
        FROM (SELECT y.*, moved_by_pauses(y) AS ends FROM dues y
               WHERE y.membership_id = m.id AND y.kind = 'difference' AND y.paid_from > d.paid_from
                 AND NOT EXISTS (SELECT FROM dues_void v WHERE v.dues_id = y.id)) x) x
   WHERE m.id = p_membership AND is_own_or_server(m.customer_id);
END $$;

-- Counts the dues of a membership after a row was added: sets its first unpaid day and what paid for the days before, and pays
-- or unpays the grants of its months. A void leaves the days of grace from today, and so does a return that leaves it unpaid.
-- p_dues is the new row, or the voided one. The caller holds the pool's
-- lock, and has written the grants that are due.
CREATE FUNCTION count_dues(p_membership uuid, p_dues uuid, p_now timestamptz, p_zone text, p_grace_days integer)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  was memberships;
  paid date;
  grace date;
  today date := (p_now AT TIME ZONE p_zone)::date;
  month record;
  tier_now text;
  monthly integer;
  own integer;
  change integer;
BEGIN
  SELECT * INTO was FROM memberships WHERE id = p_membership;
  paid := dues_until(p_membership);
  grace := CASE WHEN paid IS NULL THEN NULL
                WHEN paid = was.paid_until THEN was.grace_until
                -- A payment of less than what is overdue leaves the days of grace that run.
                WHEN paid > was.paid_until THEN greatest(paid + p_grace_days, CASE WHEN paid <= today THEN was.grace_until END)
                ELSE greatest(paid, today) + p_grace_days END;
  -- An end with the last paid day comes sooner with it, so that a member who canceled is not asked to pay.
  UPDATE memberships SET paid_until = paid, grace_until = grace,
    ends_on = CASE WHEN ends_on = was.paid_until AND paid > today THEN paid ELSE ends_on END, paid_months = (
      SELECT max(d.months) FROM dues d
       WHERE d.membership_id = p_membership AND d.kind = 'payment' AND moved_by_pauses(d) = paid
         AND NOT EXISTS (SELECT FROM dues_void v WHERE v.dues_id = d.id))
   WHERE id = p_membership;
  tier_now := CASE WHEN was.pending_from <= today THEN was.pending_tier ELSE was.tier END;
  FOR month IN SELECT g.*, x.glasses AS at_first FROM grants_as_of(p_now) g JOIN glass_grant x ON x.id = g.id
                WHERE g.membership_id = p_membership AND g.turn = 3 ORDER BY g.period LOOP
    CONTINUE WHEN month.paid = coalesce(month.period < paid, true);
    -- A month that is paid now is one of the tier of now.
    SELECT t.monthly_pours INTO monthly FROM tier_definitions t
     WHERE t.tier_name = CASE WHEN month.paid THEN month.tier ELSE tier_now END;
    SELECT month.at_first + coalesce(sum(x.glasses), 0) INTO own FROM glass_change x
     WHERE x.grant_id = month.id AND x.kind IN ('paid', 'unpaid', 'tier_glasses');
    IF month.paid THEN
      -- What was poured stays poured: it is owed.
      change := least(0, greatest(advance_of(monthly, least(27, grace - month.period), month.period,
                                       (month.valid_until AT TIME ZONE p_zone)::date) - own,
                                  month.poured + month.held + month.owed - month.glasses));
    ELSE
      -- A payment takes nothing away, if a dearer tier gave more in advance.
      change := greatest(0, monthly - own);
    END IF;
    INSERT INTO glass_change (id, grant_id, kind, glasses, to_tier, dues_id, created_at)
    VALUES (gen_random_uuid(), month.id, CASE WHEN month.paid THEN 'unpaid' ELSE 'paid' END, change,
            CASE WHEN NOT month.paid THEN nullif(tier_now, month.tier) END, p_dues, p_now);
    IF NOT month.paid THEN
      PERFORM settle_owed(month.id);
    END IF;
    PERFORM touch_report_day(month.valid_until);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION refuse_dues_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := to_jsonb(OLD);
  erased jsonb := (SELECT jsonb_object_agg(name, NULL::text) FROM unnest(TG_ARGV) AS name);
BEGIN
  IF EXISTS (
    SELECT 1 FROM dues d JOIN customers c ON c.id = d.customer_id JOIN profiles p ON p.id = c.user_id
     WHERE d.id = coalesce((was->>'dues_id')::uuid, (was->>'id')::uuid)
       AND CASE WHEN TG_OP = 'UPDATE' THEN p.erased_at IS NOT NULL AND to_jsonb(NEW) = was || erased
                ELSE EXISTS (SELECT 1 FROM member_import_row r JOIN member_import i ON i.id = r.import_id
                              WHERE r.user_id = c.user_id AND i.status = 'undoing') END) THEN
    RETURN CASE WHEN TG_OP = 'UPDATE' THEN NEW ELSE OLD END;
  END IF;
  RAISE EXCEPTION 'the ledger of dues is append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER refuse_dues_change BEFORE UPDATE OR DELETE ON dues
  FOR EACH ROW EXECUTE FUNCTION refuse_dues_change('reference');

CREATE OR REPLACE TRIGGER refuse_dues_void_change BEFORE UPDATE OR DELETE ON dues_void
  FOR EACH ROW EXECUTE FUNCTION refuse_dues_change('reason');
