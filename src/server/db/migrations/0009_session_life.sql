-- The absolute life of a session, whoever prolongs it: 90 days from its sign-in (SESSION_ABSOLUTE_SECONDS in
-- src/server/auth.ts). What expired before is swept out with the person's next sign-in.
CREATE FUNCTION session_ends_for_good() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.expires_at := LEAST(NEW.expires_at, NEW.created_at + INTERVAL '90 days');
  IF TG_OP = 'INSERT' THEN
    DELETE FROM sessions WHERE user_id = NEW.user_id AND expires_at < now();
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER session_ends_for_good BEFORE INSERT OR UPDATE ON sessions
  FOR EACH ROW EXECUTE FUNCTION session_ends_for_good();
