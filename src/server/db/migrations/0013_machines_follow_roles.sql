-- What a machine was trusted with ends with the role it was trusted in, and does not come back with it.
CREATE FUNCTION role_change_ends_machines() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM machine_clients WHERE user_id = OLD.user_id;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER role_change_ends_machines AFTER UPDATE OR DELETE ON user_roles
  FOR EACH ROW EXECUTE FUNCTION role_change_ends_machines();
