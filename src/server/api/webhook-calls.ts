import * as deliveries from '../webhooks/deliveries.ts';
import * as endpoints from '../webhooks/endpoints.ts';
import { allow, os, verb } from './authorize.ts';

/** The part of the router that is about other systems of the venue. */
export const webhookCalls = {
  list: os.webhooks.list.use(allow.manageStaff).handler(verb(endpoints.listEndpoints)),
  create: os.webhooks.create.use(allow.manageStaff).handler(verb(endpoints.createEndpoint)),
  update: os.webhooks.update.use(allow.manageStaff).handler(verb(endpoints.updateEndpoint)),
  delete: os.webhooks.delete.use(allow.manageStaff).handler(verb(endpoints.deleteEndpoint)),
  rotateSecret: os.webhooks.rotateSecret.use(allow.manageStaff).handler(verb(endpoints.rotateSecret)),
  sendTest: os.webhooks.sendTest.use(allow.manageStaff).handler(verb(deliveries.sendTest)),
  listDeliveries: os.webhooks.listDeliveries.use(allow.manageStaff).handler(verb(deliveries.listDeliveries)),
  replay: os.webhooks.replay.use(allow.manageStaff).handler(verb(deliveries.replay)),
  replaySince: os.webhooks.replaySince.use(allow.manageStaff).handler(verb(deliveries.replaySince)),
};
