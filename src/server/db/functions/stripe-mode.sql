-- All Stripe ids in this database belong to one mode, that of stripe_mode (docs/decisions/stripe-mode.md). A server sets
-- its mode on each connection, in cellar_door.stripe_mode; rows with a Stripe id are refused if the two differ. Behind a
-- pooler in transaction mode only the application name follows a server between connections, so it carries the mode too.
-- The lock is a foreign key's: the mode cannot change while a row is being written.
CREATE OR REPLACE FUNCTION refuse_other_stripe_mode() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  stored text;
  own text := coalesce(nullif(current_setting('cellar_door.stripe_mode', true), ''),
                       substring(current_setting('application_name') from '^cellar-door (live|test|demo)$'));
BEGIN
  SELECT mode INTO stored FROM stripe_mode FOR KEY SHARE;
  IF stored IS DISTINCT FROM own THEN
    RAISE EXCEPTION 'payments of this database are in mode %, but this connection writes in mode %',
      coalesce(stored, 'none'), coalesce(own, 'none') USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

DO $$
DECLARE
  paid text;
BEGIN
  FOREACH paid IN ARRAY ARRAY[
    'billing_customer', 'billing_payment', 'billing_refund', 'billing_reversal', 'billing_subscription', 'checkout_attempt',
    'gift_membership', 'stripe_event', 'stripe_key_failure', 'stripe_setup', 'tier_change', 'tier_price'] LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER refuse_other_stripe_mode BEFORE INSERT OR UPDATE ON %I
                      FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_stripe_mode()', paid);
  END LOOP;
END $$;
CREATE OR REPLACE TRIGGER refuse_other_stripe_mode BEFORE INSERT ON staff_notice
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_other_stripe_mode();

-- Members and staff write these rows too; only the column with the id is checked.
CREATE OR REPLACE TRIGGER refuse_other_stripe_mode BEFORE INSERT OR UPDATE ON billing_act
  FOR EACH ROW WHEN (NEW.stripe_subscription_id IS NOT NULL) EXECUTE FUNCTION refuse_other_stripe_mode();
CREATE OR REPLACE TRIGGER refuse_other_stripe_mode BEFORE INSERT OR UPDATE OF stripe_subscription_id ON memberships
  FOR EACH ROW WHEN (NEW.stripe_subscription_id IS NOT NULL) EXECUTE FUNCTION refuse_other_stripe_mode();
CREATE OR REPLACE TRIGGER refuse_other_stripe_mode BEFORE INSERT OR UPDATE OF stripe_session_id
  ON membership_applications
  FOR EACH ROW WHEN (NEW.stripe_session_id IS NOT NULL) EXECUTE FUNCTION refuse_other_stripe_mode();
CREATE OR REPLACE TRIGGER refuse_other_stripe_mode BEFORE INSERT OR UPDATE OF stripe_subscription_id, stripe_customer_id
  ON member_import_row
  FOR EACH ROW WHEN (NEW.stripe_customer_id IS NOT NULL) EXECUTE FUNCTION refuse_other_stripe_mode();
