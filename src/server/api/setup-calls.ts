import * as firstStart from '../auth/first-start.ts';
import { listTodo } from '../membership/club/todo.ts';
import { allow, everyone, os, verb } from './authorize.ts';
import { billing } from './billing-verbs.ts';

/** The first start of a club, and its payments at Stripe, as a row of the router. */
export const setupCalls = {
  read: os.setup.read.use(everyone).handler(verb(firstStart.readSetup)),
  create: os.setup.create.use(everyone).handler(verb(firstStart.setUpClub)),
  checkPayments: os.setup.checkPayments.use(allow.manageMoney).handler(verb(billing.checkPayments)),
  planPayments: os.setup.planPayments.use(allow.moveMoney).handler(verb(billing.planPayments)),
  setUpPayments: os.setup.setUpPayments.use(allow.moveMoney).handler(verb(billing.setUpPayments)),
  listTodo: os.setup.listTodo.use(allow.manageStaff).handler(verb(listTodo)),
};
