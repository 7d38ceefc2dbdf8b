-- A consent is evidence (docs/rules/membership.md, "Consent"): never changed, and deleted only with its user's profile.
CREATE OR REPLACE FUNCTION refuse_consent_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT 1 FROM profiles WHERE id = OLD.user_id) THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION 'consents are append-only' USING ERRCODE = 'restrict_violation';
END $$;

CREATE OR REPLACE TRIGGER refuse_consent_change BEFORE UPDATE OR DELETE ON consent
  FOR EACH ROW EXECUTE FUNCTION refuse_consent_change();
