-- What a machine was trusted with ends with the role it was trusted in, and does not come back with it.
CREATE FUNCTION role_change_ends_machines() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM machine_clients WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER role_change_ends_machines AFTER UPDATE OR DELETE ON user_roles
  FOR EACH ROW EXECUTE FUNCTION role_change_ends_machines();
--> statement-breakpoint
-- With a new signing key goes what no token can ask for any more (SIGNING_KEY_GRACE in src/server/signing-keys.ts).
CREATE FUNCTION signing_keys_leave() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM jwks WHERE expires_at < now() - INTERVAL '1 day';
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER signing_keys_leave AFTER INSERT ON jwks
  FOR EACH STATEMENT EXECUTE FUNCTION signing_keys_leave();
--> statement-breakpoint
-- As in the migration row_security: what signing out everywhere ends.
ALTER TABLE machine_clients ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own_rows ON machine_clients
  USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);
