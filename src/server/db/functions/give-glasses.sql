-- Gives a member glasses beyond what the tier gives, or takes some back: lock the pool, as record_pour does, look for a
-- repeated request, decide, insert. What a partner is given is the household's. The rule is decideGift() in src/domain/allowance.ts;
-- tests/server/pours/allowance-agreement.test.ts holds the two together.
--
-- input: { gift: a row of allowance_gift; time_zone: IANA name }. The row's created_at is the time of the decision.
-- answer: { outcome, available }. outcome is given, repeated, reused (the request_id of another gift), not_found, not_active
-- or exceeded (there are not so many left to take back). available is what the member has left afterwards.
DROP FUNCTION IF EXISTS give_glasses;

CREATE FUNCTION give_glasses(input jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  wanted allowance_gift := jsonb_populate_record(NULL::allowance_gift, input->'gift');
  earlier allowance_gift;
  has record;
  pool uuid := lock_pool(wanted.customer_id);
BEGIN
  IF pool IS NULL THEN
    RETURN jsonb_build_object('outcome', 'not_found');
  END IF;
  wanted.customer_id := pool;
  -- As in record_pour: nothing is taken from a period that gave its glasses to the next.
  wanted.created_at := greatest(wanted.created_at,
    (SELECT max(r.period_starts_at) FROM allowance_rollover r WHERE r.customer_id = pool));
  SELECT access, available INTO has
    FROM member_allowance(wanted.customer_id, wanted.created_at, input->>'time_zone');
  SELECT * INTO earlier FROM allowance_gift WHERE request_id = wanted.request_id;
  IF FOUND THEN
    RETURN jsonb_build_object('available', has.available, 'outcome',
      CASE WHEN (earlier.customer_id, earlier.glasses) = (wanted.customer_id, wanted.glasses)
           THEN 'repeated' ELSE 'reused' END);
  END IF;
  IF NOT has.access THEN
    RETURN jsonb_build_object('outcome', 'not_active');
  END IF;
  IF -wanted.glasses > has.available THEN
    RETURN jsonb_build_object('outcome', 'exceeded', 'available', has.available);
  END IF;
  INSERT INTO allowance_gift SELECT wanted.*;
  RETURN jsonb_build_object('outcome', 'given', 'available',
    (SELECT a.available FROM member_allowance(wanted.customer_id, wanted.created_at, input->>'time_zone') a));
END $$;
