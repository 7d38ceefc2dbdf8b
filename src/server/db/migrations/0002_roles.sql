-- Roles are given here and by staff tools alone, never by what a client sends.
CREATE FUNCTION profile_becomes_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_roles (user_id, role) VALUES (NEW.id, 'customer');
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER profile_becomes_customer AFTER INSERT ON profiles
  FOR EACH ROW EXECUTE FUNCTION profile_becomes_customer();
--> statement-breakpoint
CREATE FUNCTION session_takes_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.role := (SELECT role FROM user_roles WHERE user_id = NEW.user_id);
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER session_takes_role BEFORE INSERT OR UPDATE ON sessions
  FOR EACH ROW EXECUTE FUNCTION session_takes_role();
--> statement-breakpoint
CREATE FUNCTION role_change_ends_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER role_change_ends_sessions AFTER UPDATE OR DELETE ON user_roles
  FOR EACH ROW EXECUTE FUNCTION role_change_ends_sessions();
