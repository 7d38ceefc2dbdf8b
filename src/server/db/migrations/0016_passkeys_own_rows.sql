-- As for the other tables of a person: docs/decisions/0012-row-security.md.
ALTER TABLE passkeys ENABLE ROW LEVEL SECURITY;
--> statement-breakpoint
CREATE POLICY own_rows ON passkeys USING (user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid);
