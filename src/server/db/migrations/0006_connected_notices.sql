-- A notice of a subscription goes once an account has it: there is nothing left to do.
DELETE FROM "staff_notice" WHERE "kind" = 'unknown_subscription' AND "facts"->>'state' = 'connected';
