-- The ledger only grows (docs/rules/pours.md, "Recording a pour"). The one change allowed: when a user deletes their
-- account, the columns named by the trigger's arguments become null, and nothing else changes. Glasses that an import of
-- members gave go when it is undone; a member who has poured since stays, with them (docs/rules/imports.md, "Moving in and
-- out").
CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := to_jsonb(OLD);
  erased jsonb := (SELECT jsonb_object_agg(name, NULL::text) FROM unnest(TG_ARGV) AS name);
BEGIN
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) = was || erased AND EXISTS (
    SELECT 1 FROM customers c JOIN profiles p ON p.id = c.user_id
     WHERE p.erased_at IS NOT NULL
       AND c.id = coalesce((was->>'customer_id')::uuid,
                           (SELECT customer_id FROM pours WHERE id = (was->>'pour_id')::uuid))) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'DELETE' AND TG_TABLE_NAME = 'given_glasses' AND EXISTS (
    -- The index of given glasses is used even if rows just imported have no statistics yet.
    SELECT 1 FROM (SELECT import_id FROM member_import_row WHERE given_id = (was->>'id')::uuid OFFSET 0) r
      JOIN member_import i ON i.id = r.import_id WHERE i.status = 'undoing') THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'the ledger of pours is append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER refuse_pour_change BEFORE UPDATE OR DELETE ON pours
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change('notes');

CREATE OR REPLACE TRIGGER refuse_given_glasses_change BEFORE UPDATE OR DELETE ON given_glasses
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change('reason');

CREATE OR REPLACE TRIGGER refuse_pour_void_change BEFORE UPDATE OR DELETE ON pour_voids
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change('reason');

-- Grants, changes and debits identify people only by ids, so deleting an account changes none, except for removing
-- references to its tier changes. Undoing an import or takeover deletes its rows, and leaving test mode, while the database
-- has no mode, those of test payments.
CREATE OR REPLACE FUNCTION refuse_grant_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  was jsonb := to_jsonb(OLD);
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (
    SELECT 1 FROM glass_grant g JOIN customers c ON c.id = g.customer_id
      JOIN member_import_row r ON r.user_id = c.user_id
      JOIN member_import i ON i.id = r.import_id AND i.status = 'undoing'
     WHERE g.id = coalesce((was->>'grant_id')::uuid, (was->>'id')::uuid)) THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT 1 FROM stripe_mode) AND EXISTS (
    SELECT 1 FROM glass_grant g JOIN memberships m ON m.id = g.membership_id AND m.stripe_subscription_id IS NOT NULL
     WHERE g.id IN ((was->>'id')::uuid, (was->>'grant_id')::uuid, (was->>'owed_grant_id')::uuid)) THEN
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' AND to_jsonb(NEW) = was || '{"tier_change_id": null}' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the ledger of glasses is append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER refuse_grant_change BEFORE UPDATE OR DELETE ON glass_grant
  FOR EACH ROW EXECUTE FUNCTION refuse_grant_change();
CREATE OR REPLACE TRIGGER refuse_change_change BEFORE UPDATE OR DELETE ON glass_change
  FOR EACH ROW EXECUTE FUNCTION refuse_grant_change();
CREATE OR REPLACE TRIGGER refuse_debit_change BEFORE UPDATE OR DELETE ON glass_debit
  FOR EACH ROW EXECUTE FUNCTION refuse_grant_change();

CREATE OR REPLACE TRIGGER refuse_tier_rollover_change BEFORE UPDATE OR DELETE ON tier_rollover
  FOR EACH ROW EXECUTE FUNCTION refuse_ledger_change();
