-- With the second factor goes what was trusted to do without it, whoever takes it away.
CREATE FUNCTION second_factor_leaves() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM verifications WHERE value = OLD.user_id::text;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER second_factor_leaves AFTER DELETE ON two_factors
  FOR EACH ROW EXECUTE FUNCTION second_factor_leaves();
