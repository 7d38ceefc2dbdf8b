-- Notifies every process that something about a member changed, if and when the change is committed. The payload is
-- '<what> <user id>', never the data (src/server/realtime/member-events.ts).
-- It also marks the member's passes in wallets, which are updated after the commit (src/server/wallet/wallet-updates.ts).
-- Postgres lets transactions that notify commit one at a time, so record_pour and void_pour do not: their caller
-- announces what they return, once it is committed. Every other statement is announced here.
DROP FUNCTION IF EXISTS announce_member_change, mark_passes;

-- Makes the deliveries of a user's passes due at once, also one that is being sent. SECURITY DEFINER: members' own calls
-- change what their passes say, and they have no rights to deliveries. A member's call marks that member's alone.
CREATE FUNCTION mark_passes(p_user uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE deliveries SET due_at = NULL, claim = NULL
   WHERE user_id = p_user AND kind = 'wallet' AND due_at IS NOT NULL
     AND p_user = coalesce(nullif(current_setting('cellar_door.actor', true), '')::uuid, p_user);
END $$;

-- Each pass has one delivery, which recurs.
CREATE OR REPLACE FUNCTION watch_pass() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO deliveries (kind, cause, user_id, pass_id, created_at)
  VALUES ('wallet', NEW.id, NEW.user_id, NEW.id, NEW.created_at);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER watch_pass AFTER INSERT ON wallet_pass
  FOR EACH ROW EXECUTE FUNCTION watch_pass();

CREATE FUNCTION announce_member_change(p_what text, p_user uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('cellar_door.announced', true) IS DISTINCT FROM 'by the caller' THEN
    PERFORM pg_notify('member_changed', p_what || ' ' || p_user);
  END IF;
  IF p_what IN ('pours', 'membership') THEN
    PERFORM mark_passes(p_user);
  END IF;
END $$;

-- A word for announcements that changes with every pour and void of a member.
CREATE OR REPLACE FUNCTION ledger_state(c customers) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('@', c.total_pours_lifetime, extract(epoch FROM c.last_activity))
$$;

-- What the caller of record_pour or void_pour announces: 'pours <user id> <state of the ledger>'.
CREATE OR REPLACE FUNCTION ledger_announcement(c customers) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws(' ', 'pours', c.user_id, ledger_state(c))
$$;

-- The household's other member has the same balance. Announced here and not by the caller: few pours are shared, and these
-- may commit one at a time.
CREATE OR REPLACE FUNCTION announce_to_household(p_pool uuid, p_except uuid) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  other uuid;
BEGIN
  FOR other IN
    SELECT c.user_id FROM household_seat h JOIN customers c ON c.id = h.customer_id
     WHERE h.holder_id = p_pool AND h.ended_at IS NULL AND h.customer_id <> p_except
    UNION ALL
    SELECT c.user_id FROM customers c WHERE c.id = p_pool AND p_pool <> p_except
  LOOP
    PERFORM pg_notify('member_changed', 'pours ' || other);
    PERFORM mark_passes(other);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION announce_pour() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce_member_change('pours', c.user_id) FROM customers c WHERE c.id = NEW.customer_id;
  PERFORM announce_to_household(coalesce(NEW.pool_id, NEW.customer_id), NEW.customer_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_pour AFTER INSERT ON pours
  FOR EACH ROW EXECUTE FUNCTION announce_pour();

CREATE OR REPLACE FUNCTION announce_pour_void() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce_member_change('pours', c.user_id), announce_to_household(coalesce(p.pool_id, c.id), c.id)
     FROM pours p JOIN customers c ON c.id = p.customer_id WHERE p.id = NEW.pour_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_pour_void AFTER INSERT ON pour_voids
  FOR EACH ROW EXECUTE FUNCTION announce_pour_void();

CREATE OR REPLACE FUNCTION announce_membership() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce_member_change('membership', NEW.user_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_new_customer AFTER INSERT ON customers
  FOR EACH ROW EXECUTE FUNCTION announce_membership();

-- A pour updates the customer too; that does not change the membership.
CREATE OR REPLACE TRIGGER announce_changed_customer AFTER UPDATE ON customers
  FOR EACH ROW WHEN ((OLD.tier, OLD.status, OLD.member_since) IS DISTINCT FROM (NEW.tier, NEW.status, NEW.member_since))
  EXECUTE FUNCTION announce_membership();

-- A partner sees the holder's pauses and end.
CREATE OR REPLACE FUNCTION announce_subscription() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce_member_change('membership', NEW.user_id);
  PERFORM announce_member_change('membership', p.user_id)
     FROM customers c JOIN household_seat h ON h.holder_id = c.id AND h.ended_at IS NULL
     JOIN customers p ON p.id = h.customer_id WHERE c.user_id = NEW.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_new_subscription AFTER INSERT ON billing_subscription
  FOR EACH ROW EXECUTE FUNCTION announce_subscription();

-- Each reconciliation sets synced_at, which alone is not announced.
CREATE OR REPLACE TRIGGER announce_changed_subscription AFTER UPDATE ON billing_subscription
  FOR EACH ROW WHEN (to_jsonb(OLD) - 'synced_at' IS DISTINCT FROM to_jsonb(NEW) - 'synced_at')
  EXECUTE FUNCTION announce_subscription();

-- Applicants know their own changes; only a review is announced.
CREATE OR REPLACE TRIGGER announce_application_review AFTER UPDATE ON membership_applications
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status)
  EXECUTE FUNCTION announce_membership();

-- The member's page says until when dues are paid, and when a pause at the venue begins and ends.
CREATE OR REPLACE FUNCTION announce_dues() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce_member_change('membership', c.user_id) FROM customers c WHERE c.id = NEW.customer_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_dues AFTER UPDATE ON memberships
  FOR EACH ROW WHEN ((OLD.paid_until, OLD.paused_until) IS DISTINCT FROM (NEW.paid_until, NEW.paused_until))
  EXECUTE FUNCTION announce_dues();

CREATE OR REPLACE FUNCTION announce_allowance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce_member_change('pours', c.user_id) FROM customers c WHERE c.id = NEW.customer_id;
  PERFORM announce_to_household(NEW.customer_id, NEW.customer_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_given_glasses AFTER INSERT ON given_glasses
  FOR EACH ROW EXECUTE FUNCTION announce_allowance();

-- A benefit was taken, or undone: pages that show pours show what is left of benefits.
CREATE OR REPLACE FUNCTION announce_benefit_use() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce_member_change('pours', c.user_id) FROM customers c WHERE c.id = NEW.customer_id;
  PERFORM announce_to_household(NEW.pool_id, NEW.customer_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_benefit_use AFTER INSERT OR UPDATE OF voided_at ON benefit_use
  FOR EACH ROW EXECUTE FUNCTION announce_benefit_use();

-- Announces a change of a grant, for example when a period's charge is paid. A new grant follows its subscription, which is
-- announced above.
CREATE OR REPLACE FUNCTION announce_glass_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  holder uuid := (SELECT g.customer_id FROM glass_grant g WHERE g.id = NEW.grant_id);
BEGIN
  PERFORM announce_member_change('pours', c.user_id) FROM customers c WHERE c.id = holder;
  PERFORM announce_to_household(holder, holder);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_glass_change AFTER INSERT ON glass_change
  FOR EACH ROW EXECUTE FUNCTION announce_glass_change();

-- Every process caches the club's settings in memory (src/server/membership/club/club.ts).
CREATE OR REPLACE FUNCTION announce_club_settings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('member_changed', 'club');
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_club_settings AFTER INSERT OR UPDATE ON club_settings
  FOR EACH ROW EXECUTE FUNCTION announce_club_settings();

-- Email wording is cached with the settings.
CREATE OR REPLACE TRIGGER announce_email_wording AFTER INSERT OR UPDATE ON email_wording
  FOR EACH ROW EXECUTE FUNCTION announce_club_settings();

-- The open streams of a user end with the role (src/server/realtime/member-events.ts).
CREATE OR REPLACE FUNCTION announce_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('member_changed', 'role ' || OLD.user_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER announce_role AFTER UPDATE OR DELETE ON user_roles
  FOR EACH ROW EXECUTE FUNCTION announce_role();
