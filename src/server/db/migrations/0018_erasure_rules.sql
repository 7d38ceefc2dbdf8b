-- The ledger only grows. Of a person who deleted their account the words go (trigger argument: the column that
-- holds them), and nothing else.
CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := to_jsonb(OLD);
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) = was || jsonb_build_object(TG_ARGV[0], NULL) AND EXISTS (
    SELECT 1 FROM customers c JOIN profiles p ON p.id = c.user_id
     WHERE p.erased_at IS NOT NULL
       AND c.id = coalesce((was->>'customer_id')::uuid,
                           (SELECT customer_id FROM pours WHERE id = (was->>'pour_id')::uuid))) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the ledger of pours is append-only' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
DROP TRIGGER pours_append_only ON pours;
--> statement-breakpoint
CREATE TRIGGER pours_append_only BEFORE UPDATE OR DELETE ON pours
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change('notes');
--> statement-breakpoint
DROP TRIGGER pour_voids_append_only ON pour_voids;
--> statement-breakpoint
CREATE TRIGGER pour_voids_append_only BEFORE UPDATE OR DELETE ON pour_voids
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change('reason');
--> statement-breakpoint
-- What a deleted account leaves behind is nobody's: no request that was under way writes a person into it again.
CREATE FUNCTION erased_stays_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this account was deleted' USING ERRCODE = 'restrict_violation';
END $$;
--> statement-breakpoint
CREATE TRIGGER erased_stays_erased BEFORE UPDATE ON profiles
  FOR EACH ROW WHEN (OLD.erased_at IS NOT NULL) EXECUTE FUNCTION erased_stays_erased();
--> statement-breakpoint
CREATE FUNCTION account_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM profile_search WHERE user_id = NEW.id;
  PERFORM announce_member_change('account', NEW.id);
  RETURN NULL;
END $$;
--> statement-breakpoint
-- After profile_is_searched, as triggers run in the order of their names.
CREATE TRIGGER profile_leaves_search AFTER UPDATE ON profiles
  FOR EACH ROW WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL) EXECUTE FUNCTION account_erased();
--> statement-breakpoint
-- A payment page that was being opened in that moment finds nobody to belong to.
CREATE FUNCTION payer_has_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM profiles WHERE id = NEW.user_id AND erased_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this account was deleted' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER payer_has_account BEFORE INSERT ON billing_customer
  FOR EACH ROW EXECUTE FUNCTION payer_has_account();
