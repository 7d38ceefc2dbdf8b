CREATE TABLE "refresh_tokens" (
	"session_id" uuid PRIMARY KEY NOT NULL,
	"token_hash" text NOT NULL,
	"generation" integer NOT NULL,
	"rotated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "refresh_tokens" ENABLE ROW LEVEL SECURITY;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE POLICY "own_rows" ON "refresh_tokens" AS PERMISSIVE FOR ALL TO public USING (EXISTS (SELECT 1 FROM sessions s WHERE s.id = session_id AND s.user_id = nullif(current_setting('cellar_door.actor', true), '')::uuid));