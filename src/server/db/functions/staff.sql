-- As long as anyone is staff, someone can manage staff (docs/rules/staff.md, "Staff and permissions"). Changes of
-- permissions take this lock until their end, so that two people who take the permission from each other do so one after
-- the other; statements after it see what was committed before.
CREATE OR REPLACE FUNCTION lock_staff_permissions() RETURNS void LANGUAGE sql AS $$
  SELECT pg_advisory_xact_lock(hashtext('cellar_door.staff_permission'))
$$;

CREATE OR REPLACE FUNCTION someone_manages_staff() RETURNS boolean LANGUAGE sql AS $$
  SELECT EXISTS (SELECT FROM staff_permission WHERE permission = 'manage_staff')
$$;

-- Only staff have permissions, even if the role is removed at the same moment.
CREATE OR REPLACE FUNCTION refuse_permission_without_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_staff_permissions();
  IF NOT EXISTS (SELECT FROM user_roles WHERE user_id = NEW.user_id AND role = 'staff') THEN
    RAISE EXCEPTION 'permissions are for staff' USING ERRCODE = 'restrict_violation',
      CONSTRAINT = 'permission_needs_role';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER refuse_permission_without_role BEFORE INSERT OR UPDATE ON staff_permission
  FOR EACH ROW EXECUTE FUNCTION refuse_permission_without_role();

CREATE OR REPLACE FUNCTION keep_someone_managing_staff() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_staff_permissions();
  IF NOT someone_manages_staff() AND EXISTS (SELECT FROM user_roles WHERE role = 'staff') THEN
    RAISE EXCEPTION 'nobody could manage staff any more' USING ERRCODE = 'restrict_violation',
      CONSTRAINT = 'someone_manages_staff';
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER keep_someone_managing_staff AFTER UPDATE OR DELETE ON staff_permission
  FOR EACH ROW WHEN (OLD.permission = 'manage_staff') EXECUTE FUNCTION keep_someone_managing_staff();

-- The first staff member gets every permission, as does anyone who becomes staff while nobody can manage staff. A person
-- who is no longer staff has no permissions, also when the role returns.
CREATE OR REPLACE FUNCTION fit_permissions_to_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_staff_permissions();
  IF NEW.role <> 'staff' THEN
    DELETE FROM staff_permission WHERE user_id = NEW.user_id;
  ELSIF NOT someone_manages_staff() THEN
    INSERT INTO staff_permission (user_id, permission, given_at)
    SELECT NEW.user_id, permission, now()
      FROM unnest(ARRAY['manage_members', 'manage_money', 'manage_staff', 'see_reports']) AS permission;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER fit_permissions_to_new_role AFTER INSERT ON user_roles
  FOR EACH ROW WHEN (NEW.role = 'staff') EXECUTE FUNCTION fit_permissions_to_role();

CREATE OR REPLACE TRIGGER fit_permissions_to_role AFTER UPDATE ON user_roles
  FOR EACH ROW WHEN (OLD.role <> NEW.role) EXECUTE FUNCTION fit_permissions_to_role();

-- An invitation can grant no more than its sender may. It ends when they no longer manage staff, and does not return with the
-- permission.
CREATE OR REPLACE FUNCTION end_invitations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM lock_staff_permissions();
  DELETE FROM staff_invitation WHERE invited_by_staff_id = OLD.user_id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_invitations AFTER UPDATE OR DELETE ON staff_permission
  FOR EACH ROW WHEN (OLD.permission = 'manage_staff') EXECUTE FUNCTION end_invitations();

-- Also ends invitations from before this rule.
DELETE FROM staff_invitation i WHERE NOT EXISTS (
  SELECT FROM staff_permission p WHERE p.user_id = i.invited_by_staff_id AND p.permission = 'manage_staff');

-- Removing or changing a PIN ends the work on shared tablets under it.
CREATE OR REPLACE FUNCTION end_work_under_pin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM sessions WHERE user_id = OLD.user_id AND bar_device_id IS NOT NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER end_work_under_removed_pin AFTER DELETE ON staff_pin
  FOR EACH ROW EXECUTE FUNCTION end_work_under_pin();

CREATE OR REPLACE TRIGGER end_work_under_changed_pin AFTER UPDATE ON staff_pin
  FOR EACH ROW WHEN (OLD.pin_hash <> NEW.pin_hash) EXECUTE FUNCTION end_work_under_pin();
