-- The history of each membership, for reports: a membership_term row for its beginning and each change of tier, price or
-- standing. Written by triggers, so that no verb can forget it; torture/invariants.ts compares the last row with the
-- membership. A change has the time of Stripe's answer or, without a subscription, of the database; a pause at the venue begins
-- and ends on its days, which the sweep notes.
DROP FUNCTION IF EXISTS note_membership_term, note_venue_pauses, recurring_month;

-- What a membership brings a month, and the day from which its last payment pays: its price, or a twelfth of the year that was
-- paid at once, also for what is left of one after a refund of unused months.
CREATE FUNCTION recurring_month(p_membership uuid) RETURNS TABLE (cents integer, paid_from date) LANGUAGE sql STABLE AS $$
  SELECT coalesce(CASE WHEN m.paid_months = 12 OR p.method = 'online' THEN round(p.month_cents)::integer END, m.monthly_price_cents),
         p.since
    FROM memberships m LEFT JOIN LATERAL last_payment(m.id) p ON true
   WHERE m.id = p_membership
$$;

CREATE FUNCTION note_membership_term(p_membership uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  present record;
  was membership_term;
  begins timestamptz;
BEGIN
  SELECT * INTO was FROM membership_term WHERE membership_id = p_membership ORDER BY since DESC LIMIT 1;
  SELECT m.id, m.start_date, m.status, m.tier, r.cents AS monthly_price_cents, r.paid_from,
         coalesce(s.synced_at, clock_timestamp()) AS at,
         coalesce(s.paused_from, m.paused_from) AS paused_from, m.paused_until,
         CASE WHEN m.is_gift THEN 'gift'
              WHEN m.on_the_house THEN 'house'
              WHEN m.stripe_subscription_id IS NULL THEN
                -- note_venue_pauses begins and ends it.
                CASE WHEN was.standing = 'paused' AND m.paused_from <= clock_timestamp() THEN 'paused' ELSE 'venue' END
              WHEN m.status = 'active' AND s.status NOT IN ('active', 'trialing') THEN 'overdue'
              WHEN s.paused_from <= s.synced_at AND (s.paused_until IS NULL OR s.paused_until > s.synced_at) THEN 'paused'
              WHEN s.cancel_at_period_end OR s.cancel_at IS NOT NULL THEN 'ending'
              ELSE 'renewing' END AS standing
    INTO present
    FROM memberships m CROSS JOIN LATERAL recurring_month(m.id) r
    LEFT JOIN billing_subscription s ON s.stripe_subscription_id = m.stripe_subscription_id
   WHERE m.id = p_membership;
  -- An ended membership does not change.
  IF present.status <> 'active' AND was.since IS NOT NULL THEN
    RETURN;
  END IF;
  IF (was.tier, was.monthly_price_cents, was.standing) IS NOT DISTINCT FROM (present.tier, present.monthly_price_cents, present.standing) THEN
    RETURN;
  END IF;
  begins := CASE WHEN was.since IS NULL THEN present.start_date::timestamp AT TIME ZONE 'UTC'
                 -- What was paid counts from the first day that it pays for: 10:00 UTC is on it from Hawaii to New Zealand.
                 WHEN present.paid_from IS NOT NULL AND (present.tier, present.standing) = (was.tier, was.standing) THEN
                   CASE WHEN present.paid_from <= (was.since AT TIME ZONE 'UTC')::date THEN was.since
                        ELSE (present.paid_from + time '10:00') AT TIME ZONE 'UTC' END
                 -- A pause counts from its first day, even if Stripe was asked later.
                 WHEN present.standing = 'paused' THEN greatest(present.paused_from, was.since)
                 WHEN was.standing = 'paused' AND present.standing = 'venue' THEN greatest(least(present.paused_until, present.at), was.since)
                 ELSE greatest(present.at, was.since) END;
  INSERT INTO membership_term (membership_id, since, tier, monthly_price_cents, standing)
  VALUES (present.id, begins, present.tier, present.monthly_price_cents,
          -- A year that is paid in a pause begins after it.
          CASE WHEN present.standing = 'paused' AND present.paused_until <= begins THEN 'venue' ELSE present.standing END)
  ON CONFLICT (membership_id, since) DO UPDATE
     SET tier = excluded.tier, monthly_price_cents = excluded.monthly_price_cents, standing = excluded.standing;
END $$;

-- Notes the pauses at the venue that have begun or ended by now. A year that begins later has its term already, which stays.
CREATE FUNCTION note_venue_pauses(p_now timestamptz) RETURNS void LANGUAGE sql AS $$
  INSERT INTO membership_term (membership_id, since, tier, monthly_price_cents, standing)
  SELECT m.id, greatest(t.since, CASE t.standing WHEN 'paused' THEN m.paused_until ELSE m.paused_from END), t.tier, t.monthly_price_cents,
         CASE t.standing WHEN 'paused' THEN 'venue' ELSE 'paused' END
    FROM memberships m
   CROSS JOIN LATERAL (SELECT * FROM membership_term x
                        WHERE x.membership_id = m.id AND x.since <= p_now ORDER BY x.since DESC LIMIT 1) t
   WHERE m.status = 'active' AND m.paused_from <= p_now AND (m.paused_until > p_now) <> (t.standing = 'paused')
  ON CONFLICT (membership_id, since) DO UPDATE SET standing = excluded.standing
$$;

CREATE OR REPLACE FUNCTION note_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_membership_term(NEW.id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER note_new_membership AFTER INSERT ON memberships
  FOR EACH ROW EXECUTE FUNCTION note_membership();
CREATE OR REPLACE TRIGGER note_changed_membership AFTER UPDATE ON memberships
  FOR EACH ROW WHEN ((OLD.tier, OLD.monthly_price_cents, OLD.status, OLD.stripe_subscription_id, OLD.paused_from, OLD.paid_until, OLD.paid_months)
    IS DISTINCT FROM (NEW.tier, NEW.monthly_price_cents, NEW.status, NEW.stripe_subscription_id, NEW.paused_from, NEW.paid_until, NEW.paid_months))
  EXECUTE FUNCTION note_membership();

CREATE OR REPLACE FUNCTION note_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM note_membership_term(m.id) FROM memberships m WHERE m.stripe_subscription_id = NEW.stripe_subscription_id;
  RETURN NULL;
END $$;

-- A new subscription has no membership yet; it is inserted later in the same transaction.
CREATE OR REPLACE TRIGGER note_changed_subscription AFTER UPDATE ON billing_subscription
  FOR EACH ROW WHEN ((OLD.status, OLD.cancel_at_period_end, OLD.cancel_at, OLD.paused_from, OLD.paused_until,
                      OLD.paused_from <= OLD.synced_at, OLD.paused_until <= OLD.synced_at)
    IS DISTINCT FROM (NEW.status, NEW.cancel_at_period_end, NEW.cancel_at, NEW.paused_from, NEW.paused_until,
                      NEW.paused_from <= NEW.synced_at, NEW.paused_until <= NEW.synced_at))
  EXECUTE FUNCTION note_subscription();

-- Spans of each membership with its monthly price (nothing while paused): from one day of the venue on, and before another
-- (null if it continues).
DROP FUNCTION IF EXISTS membership_spans;

CREATE FUNCTION membership_spans(p_zone text)
RETURNS TABLE (customer_id uuid, tier text, standing text, monthly_price_cents integer, first_day date, end_day date)
LANGUAGE sql STABLE AS $$
  SELECT m.customer_id, t.tier, t.standing, CASE WHEN t.standing = 'paused' THEN 0 ELSE t.monthly_price_cents END,
         CASE WHEN t.place = 1 THEN m.start_date ELSE greatest(m.start_date, t.since_day) END,
         least(t.next_day, m.end_date)
    FROM memberships m
    -- All terms at once: reading those of each membership takes several times as long.
    JOIN (SELECT x.membership_id, x.tier, x.standing, x.monthly_price_cents, (x.since AT TIME ZONE p_zone)::date AS since_day,
                 row_number() OVER one AS place, lead((x.since AT TIME ZONE p_zone)::date) OVER one AS next_day
            FROM membership_term x WINDOW one AS (PARTITION BY x.membership_id ORDER BY x.since)) t
      ON t.membership_id = m.id
$$;
