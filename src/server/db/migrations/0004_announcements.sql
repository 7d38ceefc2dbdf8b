-- Tells every process that something about a member changed, when and only when the change is committed.
-- The payload is '<what> <user id>', never the data (src/server/live.ts).
CREATE FUNCTION announce_member_change(p_what text, p_user uuid) RETURNS void LANGUAGE sql AS $$
  SELECT pg_notify('member_changed', p_what || ' ' || p_user)
$$;
--> statement-breakpoint
CREATE FUNCTION pour_announces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce_member_change('pours', c.user_id) FROM customers c WHERE c.id = NEW.customer_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER pour_announces AFTER INSERT ON pours
  FOR EACH ROW EXECUTE FUNCTION pour_announces();
--> statement-breakpoint
CREATE FUNCTION pour_void_announces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce_member_change('pours', c.user_id)
     FROM pours p JOIN customers c ON c.id = p.customer_id WHERE p.id = NEW.pour_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER pour_void_announces AFTER INSERT ON pour_voids
  FOR EACH ROW EXECUTE FUNCTION pour_void_announces();
--> statement-breakpoint
CREATE FUNCTION membership_announces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM announce_member_change('membership', NEW.user_id);
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER customer_appears AFTER INSERT ON customers
  FOR EACH ROW EXECUTE FUNCTION membership_announces();
--> statement-breakpoint
-- A pour updates the member's row as well; that is no change of the membership.
CREATE TRIGGER customer_changes AFTER UPDATE ON customers
  FOR EACH ROW WHEN ((OLD.tier, OLD.status, OLD.member_since) IS DISTINCT FROM (NEW.tier, NEW.status, NEW.member_since))
  EXECUTE FUNCTION membership_announces();
--> statement-breakpoint
CREATE TRIGGER subscription_appears AFTER INSERT ON billing_subscription
  FOR EACH ROW EXECUTE FUNCTION membership_announces();
--> statement-breakpoint
-- Every look at Stripe stamps the row; only other facts are news.
CREATE TRIGGER subscription_changes AFTER UPDATE ON billing_subscription
  FOR EACH ROW WHEN (to_jsonb(OLD) - 'synced_at' IS DISTINCT FROM to_jsonb(NEW) - 'synced_at')
  EXECUTE FUNCTION membership_announces();
--> statement-breakpoint
-- The applicant's own saving is known to the applicant; a review is not.
CREATE TRIGGER application_reviewed AFTER UPDATE ON membership_applications
  FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status)
  EXECUTE FUNCTION membership_announces();
