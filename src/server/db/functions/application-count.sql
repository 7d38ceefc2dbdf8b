-- Counts applications by status and tier, so that the counters of the staff's list cost the same with a hundred thousand
-- applications as with ten. docs/decisions/search-and-lists.md.
DROP FUNCTION IF EXISTS recount_applications;

-- Recounts everything, also after rows were written with the triggers off.
CREATE FUNCTION recount_applications() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE membership_applications IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM application_count;
  INSERT INTO application_count (status, tier, applications)
  SELECT status, coalesce(selected_tier, 'select'), count(*) FROM membership_applications GROUP BY 1, 2;
END $$;

-- Fires at the end of the transaction, and locks the counters, which are the last lock that anyone waits for, so there are
-- no deadlocks. SECURITY DEFINER: members save their own application, and have no rights to the counters.
CREATE OR REPLACE FUNCTION count_application() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(4137002);
  IF TG_OP <> 'INSERT' THEN
    UPDATE application_count SET applications = applications - 1
     WHERE status = OLD.status AND tier = coalesce(OLD.selected_tier, 'select');
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO application_count AS a (status, tier, applications)
    VALUES (NEW.status, coalesce(NEW.selected_tier, 'select'), 1)
    ON CONFLICT (status, tier) DO UPDATE SET applications = a.applications + 1;
  END IF;
  RETURN NULL;
END $$;

DROP TRIGGER IF EXISTS count_application ON membership_applications;
CREATE CONSTRAINT TRIGGER count_application AFTER INSERT OR DELETE ON membership_applications
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION count_application();

DROP TRIGGER IF EXISTS count_changed_application ON membership_applications;
CREATE CONSTRAINT TRIGGER count_changed_application AFTER UPDATE ON membership_applications
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN ((OLD.status, coalesce(OLD.selected_tier, 'select'))
        IS DISTINCT FROM (NEW.status, coalesce(NEW.selected_tier, 'select')))
  EXECUTE FUNCTION count_application();

SELECT recount_applications();
