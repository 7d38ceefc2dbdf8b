ALTER TABLE "memberships" ADD COLUMN "paid_months" smallint;--> statement-breakpoint
UPDATE "memberships" SET "paid_months" = (SELECT max(d."months") FROM "dues" d WHERE d."membership_id" = "memberships"."id" AND d."kind" = 'payment' AND d."paid_until" = "memberships"."paid_until" AND NOT EXISTS (SELECT FROM "dues_void" v WHERE v."dues_id" = d."id")) WHERE "paid_until" IS NOT NULL;
