// Separate from session.ts, because the sign-in page does not need it.

import { isApiError } from './api-error.ts';
import { auth } from './auth-client.ts';
import { dropSubscription } from './device/device-push.ts';
import { forgetChosenTier, forgetLeftToDo } from './joining.ts';
import { BALANCE_PREFIX, removeLocalUnder } from './local-storage.ts';
import { deleteOfflineCard } from './offline-card.ts';
import { deleteOfflineStaff } from './offline-staff.ts';
import { forgetOpenedLinks } from './opened-link.ts';
import { forgetSignedIn, ignoreSession } from './session.ts';
import { deleteSurveyDraft } from './survey-draft.ts';

/** 401, 403 and 404 count as signed out: docs/rules/accounts.md, "Sessions". Otherwise throws ApiError. */
export async function signOut(): Promise<void> {
  deleteOfflineCard();
  deleteOfflineStaff();
  removeLocalUnder(BALANCE_PREFIX);
  deleteSurveyDraft();
  forgetOpenedLinks();
  forgetChosenTier();
  forgetLeftToDo();
  void dropSubscription();
  try {
    await auth.signOut({});
  } catch (error) {
    if (!(isApiError(error) && [401, 403, 404].includes(error.status))) throw error;
    ignoreSession();
  }
  forgetSignedIn();
}

/** If `switchOut` fails, the cookie's session is ignored here and expires by itself. */
export async function leaveTablet(switchOut: () => Promise<unknown>): Promise<void> {
  deleteOfflineStaff();
  removeLocalUnder(BALANCE_PREFIX);
  await switchOut().catch(() => ignoreSession());
  forgetSignedIn();
}
