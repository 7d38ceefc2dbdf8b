-- A session ends 90 days after its sign-in, however often it is extended (docs/rules/accounts.md, "Sessions"). The
-- user's expired sessions are deleted at the next sign-in.
CREATE OR REPLACE FUNCTION limit_session_lifetime() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.expires_at := LEAST(NEW.expires_at, NEW.created_at + INTERVAL '90 days');
  IF TG_OP = 'INSERT' THEN
    DELETE FROM sessions WHERE user_id = NEW.user_id AND expires_at < now();
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER limit_session_lifetime BEFORE INSERT OR UPDATE ON sessions
  FOR EACH ROW EXECUTE FUNCTION limit_session_lifetime();

-- Removing the second factor forgets the devices trusted to skip it, and ends the user's pending links.
CREATE OR REPLACE FUNCTION forget_trusted_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM verifications WHERE value = OLD.user_id::text;
  DELETE FROM email_change WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER forget_trusted_devices AFTER DELETE ON two_factors
  FOR EACH ROW EXECUTE FUNCTION forget_trusted_devices();

-- Inserting a signing key deletes those that expired more than a day ago (SIGNING_KEY_GRACE in
-- src/server/auth/signing-keys/jwks.ts).
CREATE OR REPLACE FUNCTION delete_old_signing_keys() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM jwks WHERE expires_at < now() - INTERVAL '1 day';
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER delete_old_signing_keys AFTER INSERT ON jwks
  FOR EACH STATEMENT EXECUTE FUNCTION delete_old_signing_keys();

-- Turning on two-step sign-in ends the sessions of apps that signed in by password alone. Browsers stay signed in
-- (docs/rules/api.md, "Apps").
CREATE OR REPLACE FUNCTION end_one_step_apps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions s USING refresh_tokens t WHERE t.session_id = s.id AND s.user_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_one_step_apps AFTER UPDATE ON profiles
  FOR EACH ROW WHEN (NEW.two_factor_enabled AND NOT OLD.two_factor_enabled)
  EXECUTE FUNCTION end_one_step_apps();

-- Signing a device out, from itself or from another one, ends its notifications. An expired session does not: members who
-- rarely open the app need notifications most.
CREATE OR REPLACE FUNCTION forget_push_device() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM push_device WHERE session_id = OLD.id AND OLD.expires_at > now();
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER forget_push_device AFTER DELETE ON sessions
  FOR EACH ROW EXECUTE FUNCTION forget_push_device();

-- Whether a session still is as the caller last read it. `known` holds { id, user_id, role }; a remembered session adds {
-- two_factor, recorded_within }, and an API client has { api_client: true } and its own id. False if the session ended or
-- changed, or if its use was last recorded more than recorded_within seconds ago. Locks the row until the transaction ends,
-- so that ending the session has to wait.
DROP FUNCTION IF EXISTS session_stands;

CREATE FUNCTION session_stands(known jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF known ? 'api_client' THEN
    PERFORM FROM api_clients c
      WHERE c.id = (known->>'id')::uuid AND c.user_id = (known->>'user_id')::uuid FOR KEY SHARE;
    RETURN FOUND;
  END IF;
  PERFORM FROM sessions s JOIN profiles u ON u.id = s.user_id
    WHERE s.id = (known->>'id')::uuid AND s.expires_at > clock_timestamp()
      AND s.user_id = (known->>'user_id')::uuid AND s.role = known->>'role'
      AND (NOT known ? 'recorded_within'
           OR s.updated_at > clock_timestamp() - make_interval(secs => (known->>'recorded_within')::float8))
      AND (NOT known ? 'two_factor' OR u.two_factor_enabled = (known->>'two_factor')::boolean)
      FOR KEY SHARE OF s;
  RETURN FOUND;
END $$;
