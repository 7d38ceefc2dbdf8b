-- One pool of glasses for two: who holds it, how it is locked, and what follows from a seat (docs/rules/households.md,
-- "Household"; docs/decisions/households-and-guests.md). Rows of customers are locked in one order, the holder's before the
-- partner's, and changing a seat takes the partner's lock.
DROP FUNCTION IF EXISTS lock_pool, is_own_or_server, partner_allowance, household_of, former_household, shared_rollovers,
  celebrated_glasses, end_household_seat, fit_partner;

-- Locks the rows that a pour for this member needs, and returns the pool's owner: the member, or the holder whose
-- membership they share. Null if there is no such member.
CREATE FUNCTION lock_pool(p_customer uuid) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  pool uuid;
  seen uuid;
BEGIN
  SELECT holder_id INTO pool FROM household_seat WHERE customer_id = p_customer AND ended_at IS NULL;
  IF FOUND THEN
    PERFORM 1 FROM customers WHERE id = pool FOR NO KEY UPDATE;
  END IF;
  PERFORM 1 FROM customers WHERE id = p_customer FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT holder_id INTO seen FROM household_seat WHERE customer_id = p_customer AND ended_at IS NULL;
  -- The partner joined while this waited. The lock goes against the order, so Postgres may end one of two such calls.
  IF seen IS DISTINCT FROM pool AND seen IS NOT NULL THEN
    PERFORM 1 FROM customers WHERE id = seen FOR NO KEY UPDATE;
  END IF;
  RETURN coalesce(seen, p_customer);
END $$;

-- Whether the call is the server's own or this member's. SECURITY DEFINER functions call this to check the caller.
CREATE FUNCTION is_own_or_server(p_customer uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
DECLARE
  actor uuid := nullif(current_setting('cellar_door.actor', true), '')::uuid;
BEGIN
  RETURN actor IS NULL OR EXISTS (SELECT 1 FROM customers c WHERE c.id = p_customer AND c.user_id = actor);
END $$;

-- A partner's allowance is the holder's, while the holder has access and a tier for two. SECURITY DEFINER:
-- partners have no right to the holder's rows, which keeps payment and address private. A member's call gets that member's
-- answer alone.
CREATE FUNCTION partner_allowance(p_customer uuid, p_now timestamptz, p_zone text)
RETURNS TABLE (access boolean, period_pours integer, pours_used integer, available integer, when_paid integer,
               carried integer, held integer, rolled integer, rolled_left integer,
               period_start timestamptz, period_end timestamptz, grants jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  IF NOT is_own_or_server(p_customer) THEN
    RETURN;
  END IF;
  RETURN QUERY
  SELECT a.access AND may.share, a.period_pours, a.pours_used, CASE WHEN may.share THEN a.available ELSE 0 END, a.when_paid, a.carried,
         a.held, a.rolled, CASE WHEN may.share THEN a.rolled_left ELSE 0 END, a.period_start, a.period_end,
         -- Hides the reason for glasses given to the holder.
         CASE WHEN may.share THEN (
           SELECT coalesce(jsonb_agg(g.line || jsonb_build_object('occasion', NULL, 'kind',
                    CASE WHEN g.line->>'kind' IN ('correction', 'celebration') THEN 'given' ELSE g.line->>'kind' END) ORDER BY g.at), '[]')
             FROM jsonb_array_elements(a.grants) WITH ORDINALITY g(line, at))
         ELSE '[]' END
    FROM household_seat h
    CROSS JOIN LATERAL pool_period(h.holder_id, p_now, p_zone) of
    CROSS JOIN LATERAL (SELECT may_share(of.tier) AS share) may
    CROSS JOIN LATERAL member_allowance(h.holder_id, p_now, p_zone) a
   WHERE h.customer_id = p_customer AND h.ended_at IS NULL;
END
$$;

-- The other member of a household and, for a partner, when the holder's membership pauses and ends. Neither price nor
-- payment is shown. SECURITY DEFINER: as partner_allowance.
CREATE FUNCTION household_of(p_customer uuid)
RETURNS TABLE (role text, first_name text, paused_from timestamptz, paused_until timestamptz, cancel_at_period_end boolean,
               current_period_end timestamptz, cancel_at timestamptz, ends_on text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  IF NOT is_own_or_server(p_customer) THEN
    RETURN;
  END IF;
  RETURN QUERY
  SELECT CASE WHEN h.holder_id = p_customer THEN 'holder' ELSE 'partner' END, p.first_name,
         coalesce(s.paused_from, m.paused_from), coalesce(s.paused_until, m.paused_until), s.cancel_at_period_end, s.current_period_end, s.cancel_at,
         -- Where a card follows, the membership does not end.
         CASE WHEN m.next_subscription_id IS NULL THEN m.ends_on::text END
    FROM household_seat h
    JOIN customers other ON other.id = CASE WHEN h.holder_id = p_customer THEN h.customer_id ELSE h.holder_id END
    JOIN profiles p ON p.id = other.user_id
    LEFT JOIN memberships m ON m.customer_id = h.holder_id AND m.status = 'active' AND h.customer_id = p_customer
    LEFT JOIN billing_subscription s ON s.stripe_subscription_id = m.stripe_subscription_id
   WHERE p_customer IN (h.holder_id, h.customer_id) AND h.ended_at IS NULL;
END
$$;

-- How the last household that this member was the partner of ended, unless a membership of their own came after it.
-- The name is null once the holder's account is deleted. SECURITY DEFINER: as partner_allowance.
CREATE FUNCTION former_household(p_customer uuid) RETURNS TABLE (ended_by text, first_name text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  IF NOT is_own_or_server(p_customer) THEN
    RETURN;
  END IF;
  RETURN QUERY
  SELECT h.ended_by, CASE WHEN p.erased_at IS NULL THEN p.first_name END
    FROM (SELECT * FROM household_seat WHERE customer_id = p_customer ORDER BY joined_at DESC LIMIT 1) h
    JOIN customers c ON c.id = h.holder_id
    JOIN profiles p ON p.id = c.user_id
   WHERE h.ended_at IS NOT NULL
     AND NOT EXISTS (SELECT 1 FROM memberships m WHERE m.customer_id = p_customer AND m.began_at >= h.ended_at);
END
$$;

-- Rollovers into months of a household that began while this member was its partner. SECURITY DEFINER: as
-- partner_allowance.
CREATE FUNCTION shared_rollovers(p_customer uuid)
RETURNS TABLE (valid_from timestamptz, glasses integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
BEGIN
  IF NOT is_own_or_server(p_customer) THEN
    RETURN;
  END IF;
  RETURN QUERY
  SELECT g.valid_from, g.glasses
    FROM household_seat h JOIN glass_grant g ON g.customer_id = h.holder_id AND g.kind = 'rollover'
   WHERE h.customer_id = p_customer AND g.valid_from >= h.joined_at AND (h.ended_at IS NULL OR g.created_at <= h.ended_at);
END
$$;

-- Glasses given for this member's own celebration; for a partner's, the row is the holder's. SECURITY DEFINER: as
-- partner_allowance.
CREATE FUNCTION celebrated_glasses(p_customer uuid, p_given uuid) RETURNS integer
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NOT is_own_or_server(p_customer) THEN
    RETURN NULL;
  END IF;
  RETURN (
    SELECT g.glasses FROM celebration k JOIN given_glasses g ON g.id = k.given_id
     WHERE k.customer_id = p_customer AND k.given_id = p_given);
END
$$;

-- Ends a seat, and returns whether this call ended it. Someone who ends it by hand notifies the other in the same
-- transaction. The same update sets told_at: for a second update of its own row, Postgres locks the rows of its foreign
-- keys, and so the holder's after the partner's.
CREATE FUNCTION end_household_seat(p_seat uuid, p_by text, p_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM customers WHERE id = (SELECT customer_id FROM household_seat WHERE id = p_seat) FOR NO KEY UPDATE;
  UPDATE household_seat
     SET ended_at = p_at, ended_by = p_by, told_at = CASE WHEN p_by NOT IN ('tier', 'own_membership') THEN p_at END
   WHERE id = p_seat AND ended_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- The partner's guest glasses were taken from the holder's.
  UPDATE guest_glass g SET withdrawn_at = p_at
    FROM household_seat h
   WHERE h.id = p_seat AND g.customer_id = h.customer_id AND g.pool_id = h.holder_id
     AND g.pour_id IS NULL AND g.withdrawn_at IS NULL;
  RETURN true;
END $$;

-- A partner is a member with the holder's tier while the holder is one; a member who shares nothing has a membership of
-- their own.
CREATE FUNCTION fit_partner(p_customer uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE customers c
     SET status = x.status, tier = x.tier
    FROM (SELECT p.id,
                 CASE WHEN m.id IS NOT NULL OR h.status = 'active' THEN 'active' ELSE 'inactive' END AS status,
                 CASE WHEN m.id IS NOT NULL THEN m.tier WHEN h.status = 'active' THEN h.tier ELSE p.tier END AS tier
            FROM customers p
            LEFT JOIN memberships m ON m.customer_id = p.id AND m.status = 'active'
            LEFT JOIN household_seat s ON s.customer_id = p.id AND s.ended_at IS NULL
            LEFT JOIN customers h ON h.id = s.holder_id
           WHERE p.id = p_customer) x
   WHERE c.id = x.id AND (c.status, c.tier) IS DISTINCT FROM (x.status, x.tier);
END $$;

-- After a change of seat: announces it to both, and updates the partner's membership.
CREATE OR REPLACE FUNCTION follow_seat() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM fit_partner(NEW.customer_id);
  PERFORM write_directory_row(NEW.customer_id);
  PERFORM announce_member_change('membership', c.user_id) FROM customers c WHERE c.id IN (NEW.holder_id, NEW.customer_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER follow_new_seat AFTER INSERT ON household_seat
  FOR EACH ROW EXECUTE FUNCTION follow_seat();
CREATE OR REPLACE TRIGGER follow_ended_seat AFTER UPDATE ON household_seat
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION follow_seat();

-- The partner follows the holder's membership. A tier for one person ends the seat; an ended membership does not, because
-- it may be paid late. A pour updates the customer too, which changes nothing here.
CREATE OR REPLACE FUNCTION follow_holder() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  seat household_seat;
BEGIN
  SELECT * INTO seat FROM household_seat WHERE holder_id = NEW.id AND ended_at IS NULL;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF NEW.status = 'active' AND (SELECT people FROM tier_definitions WHERE tier_name = NEW.tier) < 2 THEN
    PERFORM end_household_seat(seat.id, 'tier', clock_timestamp());
  ELSE
    PERFORM fit_partner(seat.customer_id);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER follow_holder AFTER UPDATE ON customers
  FOR EACH ROW WHEN ((OLD.tier, OLD.status) IS DISTINCT FROM (NEW.tier, NEW.status)) EXECUTE FUNCTION follow_holder();

-- A member who gets their own membership stops sharing.
CREATE OR REPLACE FUNCTION leave_for_own_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM end_household_seat(h.id, 'own_membership', clock_timestamp())
     FROM household_seat h WHERE h.customer_id = NEW.customer_id AND h.ended_at IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER leave_for_own_membership AFTER INSERT OR UPDATE OF status ON memberships
  FOR EACH ROW WHEN (NEW.status = 'active') EXECUTE FUNCTION leave_for_own_membership();
