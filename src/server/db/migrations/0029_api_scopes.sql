ALTER TABLE "api_clients" ADD COLUMN "scopes" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
-- Clients from before keep what they could do, which was never to read reports.
UPDATE "api_clients" SET "scopes" = ARRAY['own:read','own:write','tiers:read','wines:read','wines:write','cards:read','pours:read','pours:write','members:read','applications:read','applications:write','venue:read','venue:write'];
