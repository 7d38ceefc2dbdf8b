-- A request in progress must not write personal data into a deleted account (docs/decisions/erasure.md).
CREATE OR REPLACE FUNCTION refuse_erased_profile_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this account was deleted' USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER refuse_erased_profile_change BEFORE UPDATE ON profiles
  FOR EACH ROW WHEN (OLD.erased_at IS NOT NULL) EXECUTE FUNCTION refuse_erased_profile_change();

CREATE OR REPLACE FUNCTION unindex_erased_profile() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM profile_search WHERE user_id = NEW.id;
  PERFORM announce_member_change('account', NEW.id);
  RETURN NULL;
END $$;

-- Triggers fire in the order of their names: this one runs after index_profile in search.sql, which writes the row.
CREATE OR REPLACE TRIGGER unindex_erased_profile AFTER UPDATE ON profiles
  FOR EACH ROW WHEN (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL)
  EXECUTE FUNCTION unindex_erased_profile();

-- A checkout opened at the same time finds no account.
CREATE OR REPLACE FUNCTION refuse_erased_payer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM profiles WHERE id = NEW.user_id AND erased_at IS NULL FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'this account was deleted' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER refuse_erased_payer BEFORE INSERT ON billing_customer
  FOR EACH ROW EXECUTE FUNCTION refuse_erased_payer();
