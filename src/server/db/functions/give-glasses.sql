-- Gives a member glasses beyond those of the tier, or takes some back: locks the pool, as record_pour does, looks for a
-- repeated request, decides, inserts. Glasses given to a partner are the household's.
--
-- input: { given: a row of given_glasses, whose created_at is the time of the decision; time_zone: IANA name }
-- answer: { outcome, available }
--   outcome: given, repeated, reused (the request_id of other given glasses), not_found, not_active, or exceeded (fewer are
--     left than should be taken back)
--   available: the pours that the member then has left
DROP FUNCTION IF EXISTS give_glasses, write_given;

CREATE FUNCTION give_glasses(input jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  wanted given_glasses := jsonb_populate_record(NULL::given_glasses, input->'given');
  earlier given_glasses;
  has record;
  pool uuid := lock_pool(wanted.customer_id);
BEGIN
  IF pool IS NULL THEN
    RETURN jsonb_build_object('outcome', 'not_found');
  END IF;
  wanted.customer_id := pool;
  wanted.created_at := ledger_instant(pool, wanted.created_at);
  SELECT access, available INTO has
    FROM member_allowance(pool, wanted.created_at, input->>'time_zone');
  SELECT * INTO earlier FROM given_glasses WHERE request_id = wanted.request_id;
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
  PERFORM write_given(wanted, input->>'time_zone');
  RETURN jsonb_build_object('outcome', 'given', 'available', has.available + wanted.glasses);
END $$;

-- Stores given glasses as a grant of the running period, or takes glasses back: the month's own first, in the reverse order
-- of pouring. The caller holds the pool's lock.
CREATE FUNCTION write_given(given given_glasses, p_zone text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  has record;
  wanted integer := -given.glasses;
  changed uuid[] := '{}';
BEGIN
  SELECT * INTO has FROM open_pool(given.customer_id, given.created_at, p_zone);
  INSERT INTO given_glasses SELECT given.*;
  IF given.glasses > 0 THEN
    INSERT INTO glass_grant (id, customer_id, membership_id, kind, tier, glasses, period, valid_from, valid_until, given_id, created_at)
    VALUES (gen_random_uuid(), given.customer_id, has.membership_id, CASE given.kind WHEN 'comp' THEN 'given' ELSE given.kind END,
            has.tier, given.glasses, has.period, given.created_at, has.ends, given.id, given.created_at)
    RETURNING ARRAY[id] INTO changed;
  END IF;
  FOR nth IN REVERSE coalesce(array_length(has.sources, 1), 0) .. 1 LOOP
    EXIT WHEN wanted <= 0;
    INSERT INTO glass_change (id, grant_id, kind, glasses, given_id, created_at)
    VALUES (gen_random_uuid(), has.sources[nth], 'correction', -least(wanted, has.lefts[nth]), given.id, given.created_at);
    changed := changed || has.sources[nth];
    wanted := wanted - has.lefts[nth];
  END LOOP;
  PERFORM touch_report_day(VARIADIC grant_ends(VARIADIC changed));
END $$;
