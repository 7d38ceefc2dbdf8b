CREATE TABLE "scheduled_task" (
	"name" text PRIMARY KEY NOT NULL,
	"began_at" timestamp with time zone NOT NULL
);
