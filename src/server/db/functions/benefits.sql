-- Benefits beside the pours (docs/rules/benefits.md). src/domain/membership/benefit.ts decides from these facts how many are
-- left; takeBenefit asks under the pool's lock.
DROP FUNCTION IF EXISTS benefit_facts;

-- A member's tier, months and benefits; a partner's are the holder's. Null without a benefit in the club, and for an unknown
-- member. SECURITY DEFINER: as partner_allowance.
--   pool: the member whose membership gives them; began: when the membership's first month began; joined: the instant of the
--     membership, null for an imported one
--   benefits: those of the tier, in its order, also those off the list, with their numbers over time, and what was taken of
--     them, or of the same words and unit in another tier
CREATE FUNCTION benefit_facts(p_customer uuid, p_now timestamptz, p_zone text) RETURNS jsonb
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  pool uuid;
  of record;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM tier_benefit) OR NOT is_own_or_server(p_customer) THEN
    RETURN NULL;
  END IF;
  SELECT coalesce((SELECT h.holder_id FROM household_seat h WHERE h.customer_id = p_customer AND h.ended_at IS NULL), p_customer)
    INTO pool;
  SELECT * INTO of FROM pool_period(pool, p_now, p_zone);
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  RETURN jsonb_build_object(
    'pool', pool,
    'access', of.access AND (pool = p_customer OR may_share(of.tier)),
    'by_card', of.by_card,
    'began', CASE
      WHEN of.by_card THEN coalesce((SELECT min(g.valid_from) FROM glass_grant g
                                      WHERE g.membership_id = of.membership_id AND g.kind IN ('period', 'advance')), of.starts)
      ELSE (SELECT coalesce(m.start_date, c.member_since)::timestamp AT TIME ZONE p_zone
              FROM customers c LEFT JOIN memberships m ON m.id = of.membership_id WHERE c.id = pool) END,
    'joined', (SELECT m.began_at FROM memberships m WHERE m.id = of.membership_id),
    'starts', of.starts,
    'ends', of.ends,
    'benefits', (
      SELECT coalesce(jsonb_agg(jsonb_build_object(
               'id', b.id, 'words', b.words, 'every', b.every, 'is_listed', b.place IS NOT NULL,
               'numbers', (SELECT coalesce(jsonb_agg(jsonb_build_object('since', n.since, 'number', n.number) ORDER BY n.since), '[]')
                             FROM tier_benefit_number n WHERE n.benefit_id = b.id),
               'uses', (SELECT coalesce(jsonb_agg(jsonb_build_object(
                                 'id', u.id, 'at', u.created_at, 'by_id', u.recorded_by_staff_id,
                                 'by', trim(p.first_name || ' ' || p.last_name)) ORDER BY u.created_at DESC, u.id DESC), '[]')
                          FROM benefit_use u JOIN tier_benefit s ON s.id = u.benefit_id JOIN profiles p ON p.id = u.recorded_by_staff_id
                         WHERE u.pool_id = pool AND u.voided_at IS NULL
                           AND (s.id = b.id OR s.every = b.every AND lower(s.words) = lower(b.words))
                           AND (b.every = 'once' OR u.created_at > p_now - interval '15 months')))
             ORDER BY b.place NULLS LAST, b.id), '[]')
        FROM tier_benefit b WHERE b.tier_name = of.tier));
END
$$;
