DROP TRIGGER IF EXISTS announce_ended_session ON sessions;
--> statement-breakpoint
DROP FUNCTION IF EXISTS announce_ended_session();
