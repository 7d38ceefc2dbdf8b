-- Everyone begins as a customer; only src/server/auth/staff-accounts.ts changes a role.
CREATE OR REPLACE FUNCTION assign_default_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_roles (user_id, role) VALUES (NEW.id, 'customer');
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER assign_default_role AFTER INSERT ON profiles
  FOR EACH ROW EXECUTE FUNCTION assign_default_role();

CREATE OR REPLACE FUNCTION stamp_session_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.role := (SELECT role FROM user_roles WHERE user_id = NEW.user_id);
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER stamp_session_role BEFORE INSERT OR UPDATE ON sessions
  FOR EACH ROW EXECUTE FUNCTION stamp_session_role();

-- Sessions and API clients carry the old role. They end with it, and do not return with the role; the PIN and shared
-- tablets opened with it end too.
CREATE OR REPLACE FUNCTION revoke_old_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE user_id = OLD.user_id;
  DELETE FROM api_clients WHERE user_id = OLD.user_id;
  DELETE FROM staff_pin WHERE user_id = OLD.user_id;
  DELETE FROM sessions USING bar_device d
   WHERE bar_device_id = d.id AND d.opened_by_staff_id = OLD.user_id AND d.ended_at IS NULL;
  UPDATE bar_device SET ended_at = now() WHERE opened_by_staff_id = OLD.user_id AND ended_at IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER revoke_old_role AFTER UPDATE OR DELETE ON user_roles
  FOR EACH ROW EXECUTE FUNCTION revoke_old_role();
