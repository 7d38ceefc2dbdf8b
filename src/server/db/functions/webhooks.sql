-- Messages to other systems of the venue, written by triggers in the transaction of what happened, so that no verb can
-- forget it. Without an endpoint that subscribes to it, a pour costs one look at a small table. What is sent is described in
-- docs/run/connect.md, "Other systems": ids, numbers and the names of tiers, never a name of a person.
DROP FUNCTION IF EXISTS enqueue_webhook;

CREATE FUNCTION enqueue_webhook(p_type text, p_customer uuid, p_at timestamptz, p_data jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  event uuid;
BEGIN
  INSERT INTO webhook_event (type, customer_id, happened_at, data)
  VALUES (p_type, p_customer, p_at, p_data) RETURNING id INTO event;
  -- Includes endpoints that are off: their deliveries wait until they are on again.
  INSERT INTO deliveries (kind, cause, event_id, endpoint_id, created_at)
  SELECT 'webhook', event || ':' || e.id, event, e.id, p_at FROM webhook_endpoint e WHERE p_type = ANY (e.events);
END $$;

CREATE OR REPLACE FUNCTION tell_of_pour() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM webhook_endpoint WHERE 'pour.recorded' = ANY (events)) THEN
    PERFORM enqueue_webhook('pour.recorded', NEW.customer_id, coalesce(NEW.recorded_at, NEW.created_at), jsonb_build_object(
      'pour_id', NEW.id, 'customer_id', NEW.customer_id, 'glasses', NEW.quantity, 'location', NEW.location, 'place_name', NEW.place_name)
      || CASE WHEN NEW.recorded_at IS NULL THEN '{}' ELSE jsonb_build_object('poured_at', to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END
      || CASE WHEN NEW.pool_id IS NULL THEN '{}' ELSE jsonb_build_object('holder_id', NEW.pool_id) END);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tell_of_pour AFTER INSERT ON pours FOR EACH ROW EXECUTE FUNCTION tell_of_pour();

CREATE OR REPLACE FUNCTION tell_of_pour_void() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM webhook_endpoint WHERE 'pour.voided' = ANY (events)) THEN
    PERFORM enqueue_webhook('pour.voided', p.customer_id, NEW.created_at, jsonb_build_object(
      'pour_id', p.id, 'customer_id', p.customer_id, 'glasses', p.quantity))
       FROM pours p WHERE p.id = NEW.pour_id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tell_of_pour_void AFTER INSERT ON pour_voids
  FOR EACH ROW EXECUTE FUNCTION tell_of_pour_void();

-- A benefit taken, and one undone. The words are the tier's.
CREATE OR REPLACE FUNCTION tell_of_benefit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  type text := CASE TG_OP WHEN 'INSERT' THEN 'benefit.used' ELSE 'benefit.voided' END;
BEGIN
  IF EXISTS (SELECT 1 FROM webhook_endpoint WHERE type = ANY (events)) THEN
    PERFORM enqueue_webhook(type, NEW.customer_id, coalesce(NEW.voided_at, NEW.recorded_at, NEW.created_at), jsonb_build_object(
      'use_id', NEW.id, 'customer_id', NEW.customer_id, 'benefit_id', NEW.benefit_id, 'words', NEW.words)
      || CASE WHEN NEW.recorded_at IS NULL THEN '{}' ELSE jsonb_build_object('taken_at', to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) END
      || CASE WHEN NEW.pool_id = NEW.customer_id THEN '{}' ELSE jsonb_build_object('holder_id', NEW.pool_id) END);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tell_of_benefit AFTER INSERT OR UPDATE OF voided_at ON benefit_use
  FOR EACH ROW EXECUTE FUNCTION tell_of_benefit();

-- A resumed membership is reported as a new beginning.
CREATE OR REPLACE FUNCTION tell_of_membership() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text := 'member.tier_changed';
  said jsonb := jsonb_build_object('customer_id', NEW.customer_id, 'membership_id', NEW.id, 'tier', NEW.tier);
BEGIN
  IF TG_OP = 'INSERT' OR (OLD.status <> 'active' AND NEW.status = 'active') THEN
    kind := 'member.joined';
    said := said || jsonb_build_object('start_date', NEW.start_date,
      'paid_by', CASE WHEN NEW.is_gift THEN 'gift' WHEN NEW.on_the_house THEN 'house'
        WHEN NEW.stripe_subscription_id IS NULL THEN 'venue' ELSE 'card' END);
  ELSIF NEW.status <> 'active' THEN
    kind := 'member.left';
    said := said || jsonb_build_object('end_date', NEW.end_date);
  ELSE
    said := said || jsonb_build_object('tier_before', OLD.tier);
  END IF;
  IF EXISTS (SELECT 1 FROM webhook_endpoint WHERE kind = ANY (events)) THEN
    PERFORM enqueue_webhook(kind, NEW.customer_id, clock_timestamp(), said);
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tell_of_new_membership AFTER INSERT ON memberships
  FOR EACH ROW WHEN (NEW.status = 'active') EXECUTE FUNCTION tell_of_membership();
CREATE OR REPLACE TRIGGER tell_of_changed_membership AFTER UPDATE ON memberships
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status
    OR (NEW.status = 'active' AND OLD.tier IS DISTINCT FROM NEW.tier))
  EXECUTE FUNCTION tell_of_membership();

CREATE OR REPLACE FUNCTION tell_of_dues() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM webhook_endpoint WHERE 'member.dues_recorded' = ANY (events)) THEN
    PERFORM enqueue_webhook('member.dues_recorded', NEW.customer_id, NEW.created_at, jsonb_build_object(
      'dues_id', NEW.id, 'customer_id', NEW.customer_id, 'membership_id', NEW.membership_id, 'amount_cents', NEW.amount_cents,
      'months', NEW.months, 'kind', NEW.kind, 'method', NEW.method, 'paid_on', NEW.paid_on, 'paid_until', NEW.paid_until));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tell_of_dues AFTER INSERT ON dues
  FOR EACH ROW WHEN (NEW.kind IN ('payment', 'difference')) EXECUTE FUNCTION tell_of_dues();

CREATE OR REPLACE FUNCTION tell_of_seat() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  kind text := CASE WHEN TG_OP = 'INSERT' THEN 'household.joined' ELSE 'household.left' END;
BEGIN
  IF EXISTS (SELECT 1 FROM webhook_endpoint WHERE kind = ANY (events)) THEN
    PERFORM enqueue_webhook(kind, NEW.customer_id, coalesce(NEW.ended_at, NEW.joined_at),
      jsonb_build_object('customer_id', NEW.customer_id, 'holder_id', NEW.holder_id));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER tell_of_new_seat AFTER INSERT ON household_seat
  FOR EACH ROW EXECUTE FUNCTION tell_of_seat();
CREATE OR REPLACE TRIGGER tell_of_ended_seat AFTER UPDATE ON household_seat
  FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION tell_of_seat();
