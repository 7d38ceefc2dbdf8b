import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { CALLS } from '../../../src/server/api/calls/index.ts';
import { api_clients, rate_limits } from '../../../src/server/db/schema.ts';
import { openApiDocument, operationsOf } from '../../../src/server/http/docs/openapi.ts';
import { hashOfSecret } from '../../../src/server/platform/secret-link.ts';
import {
  type Cast,
  COLUMNS,
  type Column,
  createCast,
  INSIDERS,
  OUTSIDERS,
  tokenOf,
} from '../../support/access/cast.ts';
import { letterOf, procedures, rowOf } from '../../support/access/rows.ts';
import { applied, RATINGS } from '../../support/fixtures/members.ts';

/**
 * Access to every call of the server by every kind of caller. Staff need a second factor here. All callers use the member's
 * ids wherever a call takes an id.
 *
 *     visitor          not signed in
 *     member           the member whose ids are used
 *     other            another member
 *     inactive         a member whose membership ended
 *     non-member       an account that has never been a member
 *     staff            staff with a second factor
 *     one-step         staff without a second factor
 *     member-app       an app in which the member is signed in
 *     staff-app        an app in which the staff are signed in
 *     member-client    an API client of the member
 *     staff-client     an API client of the staff
 *     bartender        as staff, but without any permission
 *     members-manager  as bartender, with `manage_members`
 *     money-manager    as bartender, with `manage_money`
 *     staff-manager    as bartender, with `manage_staff`
 *     report-reader    as bartender, with `see_reports`
 *     tablet           a shared tablet that shows the PINs
 *     tablet-staff     the staff, by their PIN on a shared tablet
 *
 *     -  not signed in
 *     o  done
 *     x  not for this role, permission, or API clients
 *     0  not found, as the caller has no such thing
 *     2  needs a second factor first
 *     n  refused, as the caller has no membership or subscription
 *     i  refused for its input, such as a wrong password
 */
const TABLE = `
                                                      visitor  member  other  inactive  non-member  staff  one-step  member-app  staff-app  member-client  staff-client  bartender  members-manager  money-manager  staff-manager  report-reader  tablet  tablet-staff
  tiers.list                                          -        o       o      o         o           o      2         o           o          o              o             o          o                o              o              o              -       o
  tiers.listNames                                     -        o       o      o         o           o      2         o           o          o              o             o          o                o              o              o              -       o
  tiers.get                                           -        o       o      o         o           o      2         o           o          o              o             o          o                o              o              o              -       o
  tiers.getOnOffer                                    o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  tierSettings.list                                   -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  tierSettings.add                                    -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  tierSettings.update                                 -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  tierSettings.offer                                  -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  tierSettings.order                                  -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  tierSettings.feature                                -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  tierSettings.previewMove                            -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  tierSettings.move                                   -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  tierSettings.withdrawMoves                          -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  club.getSettings                                    -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  club.updateSettings                                 -        x       x      x         x           i      2         x           i          x              x             x          x                x              i              x              -       x
  club.saveLogo                                       -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  club.savePicture                                    -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  club.removeLogo                                     -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  club.removePicture                                  -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  club.listPlaces                                     -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  emails.list                                         -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  emails.update                                       -        x       x      x         x           i      2         x           i          x              x             x          x                x              i              x              -       x
  emails.preview                                      -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  emails.previewPage                                  -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  setup.read                                          i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  setup.create                                        i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  setup.checkPayments                                 -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  setup.planPayments                                  -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  setup.setUpPayments                                 -        x       x      x         x           i      2         x           i          x              x             x          x                i              x              x              -       x
  setup.listTodo                                      -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x

  applications.getOwn                                 -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  applications.save                                   -        i       i      o         o           x      x         i           x          i              x             x          x                x              x              x              -       x
  applications.chooseTier                             -        i       i      o         o           x      x         i           x          i              x             x          x                x              x              x              -       x
  applications.list                                   -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  applications.search                                 -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  applications.count                                  -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  applications.countFound                             -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  applications.export                                 -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              o              -       x
  applications.get                                    -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  applications.approve                                -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  applications.reject                                 -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x

  members.getOwn                                      -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  members.list                                        -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  members.search                                      -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  members.get                                         -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  members.getBarCard                                  -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o

  directory.list                                      -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  directory.count                                     -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  directory.export                                    -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              o              -       x

  barDevices.list                                     -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  barDevices.open                                     -        x       x      x         x           i      2         x           i          x              x             x          x                x              i              x              -       x
  barDevices.end                                      -        x       x      x         x           0      2         x           0          x              x             x          x                x              0              x              -       x
  barDevices.getCurrent                               o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  barDevices.switchIn                                 -        -       -      -         -           -      -         -           -          -              -             -          -                -              -              -              i       i
  barDevices.stay                                     o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  barDevices.switchOut                                o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  barDevices.getPin                                   -        x       x      x         x           o      2         x           o          x              x             o          o                o              o              o              -       x
  barDevices.setPin                                   -        x       x      x         x           i      2         x           i          x              x             i          i                i              i              i              -       x
  barDevices.removePin                                -        x       x      x         x           0      2         x           0          x              x             x          x                x              0              x              -       x

  barSignUps.find                                     -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  barSignUps.create                                   -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  barSignUps.get                                      -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  barSignUps.renewLink                                -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  barSignUps.readLink                                 i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  barSignUps.pay                                      i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i

  photos.saveOwn                                      -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  photos.getOwn                                       -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  photos.removeOwn                                    -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  photos.save                                         -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  photos.get                                          -        x       x      x         x           o      2         x           o          x              x             o          o                o              o              o              -       o
  photos.remove                                       -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x

  memberAccount.get                                   -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  memberAccount.update                                -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  memberAccount.changeEmail                           -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  memberAccount.sendAccessEmail                       -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  memberEmails.list                                   -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  memberEmails.send                                   -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  memberAccount.withdrawEmail                         -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  membershipEnd.get                                   -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  membershipEnd.create                                -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  membershipEnd.withdraw                              -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  memberDues.get                                      -        x       x      x         x           o      2         x           o          x              x             o          o                o              o              o              -       o
  memberDues.record                                   -        x       x      x         x           i      2         x           i          x              x             i          i                i              i              i              -       i
  memberDues.recordDifference                         -        x       x      x         x           i      2         x           i          x              x             i          i                i              i              i              -       i
  memberDues.void                                     -        x       x      x         x           i      2         x           i          x              x             x          x                i              x              x              -       x
  memberDues.countFrom                                -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  memberRecord.listTimeline                           -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  memberRecord.exportTimeline                         -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              o              -       x
  memberRecord.listTags                               -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  memberRecord.get                                    -        x       x      x         x           o      2         x           o          x              x             o          o                o              o              o              -       o
  memberRecord.addNote                                -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  memberRecord.editNote                               -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  memberRecord.removeNote                             -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  memberRecord.addTag                                 -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  memberRecord.removeTag                              -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  memberRecord.updateAbout                            -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  glasses.give                                        -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  mailings.list                                       -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  mailings.audience                                   -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  mailings.preview                                    -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  mailings.send                                       -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  mailings.stop                                       -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  outreach.listAtRisk                                 -        x       x      x         x           o      2         x           o          x              o             x          o                x              x              o              -       x
  outreach.export                                     -        x       x      x         x           o      2         x           o          x              o             x          o                x              x              o              -       x
  outreach.sendEmail                                  -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  outreach.getOwn                                     -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  outreach.updateOwn                                  -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  outreach.unsubscribe                                i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  refunds.listPayments                                -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  refunds.create                                      -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x

  profile.update                                      -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  profile.agree                                       -        i       i      i         i           x      x         i           x          x              x             x          x                x              x              x              -       x
  profile.getTaste                                    -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  profile.updateTaste                                 -        o       o      o         n           x      x         o           x          x              x             x          x                x              x              x              -       x

  memberEvents.subscribe                              -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  memberEvents.subscribeVenue                         -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o

  households.get                                      -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  households.invite                                   -        i       i      i         i           x      x         i           x          x              x             x          x                x              x              x              -       x
  households.withdrawInvitation                       -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  households.readInvitation                           i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  households.acceptInvitation                         -        i       i      i         i           x      x         i           x          x              x             x          x                x              x              x              -       x
  households.end                                      -        0       0      0         0           x      x         0           x          x              x             x          x                x              x              x              -       x
  guestGlasses.list                                   -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  guestGlasses.give                                   -        o       o      n         n           x      x         o           x          x              x             x          x                x              x              x              -       x
  guestGlasses.renewLink                              -        i       0      0         0           x      x         i           x          x              x             x          x                x              x              x              -       x
  guestGlasses.withdraw                               -        o       0      0         0           x      x         o           x          x              x             x          x                x              x              x              -       x
  guestGlasses.read                                   i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  guestGlasses.stateAge                               i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  pours.listMonths                                    -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  pours.list                                          -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  pours.listRolledOver                                -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  pours.listForCustomer                               -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  pours.record                                        -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  pours.void                                          -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  benefits.take                                       -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  benefits.void                                       -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o

  wines.list                                          -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  wines.listOpen                                      -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  wines.listTonight                                   -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  wines.create                                        -        x       x      x         x           o      2         x           o          x              x             o          o                o              o              o              -       x
  wines.update                                        -        x       x      x         x           o      2         x           o          x              x             o          o                o              o              o              -       x
  wines.order                                         -        x       x      x         x           o      2         x           o          x              x             o          o                o              o              o              -       x
  wines.openBottle                                    -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  wines.putAway                                       -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  winePictures.get                                    -        o       o      o         o           o      2         o           o          x              x             o          o                o              o              o              -       o
  winePictures.save                                   -        x       x      x         x           o      2         x           o          x              x             o          o                o              o              o              -       x
  winePictures.remove                                 -        x       x      x         x           o      2         x           o          x              x             o          o                o              o              o              -       x

  ratings.getQuestion                                 -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  ratings.save                                        -        o       0      0         0           x      x         o           x          x              x             x          x                x              x              x              -       x
  ratings.dismiss                                     -        o       0      0         0           x      x         o           x          x              x             x          x                x              x              x              -       x
  ratings.getPalate                                   -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  ratings.saveWords                                   -        o       o      o         0           x      x         o           x          x              x             x          x                x              x              x              -       x
  ratings.reset                                       -        o       o      o         0           x      x         o           x          x              x             x          x                x              x              x              -       x
  ratings.getForMember                                -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o

  sessions.list                                       -        o       o      o         o           o      o         o           o          x              x             o          o                o              o              o              -       x
  sessions.delete                                     -        o       0      0         0           0      0         o           0          x              x             0          0                0              0              0              -       x
  sessions.deleteOthers                               -        o       o      o         o           o      o         o           o          x              x             o          o                o              o              o              -       x

  emailChange.get                                     -        o       o      o         o           o      2         o           o          x              x             o          o                o              o              o              -       x
  emailChange.create                                  -        i       i      i         i           i      2         i           i          x              x             i          i                i              i              i              -       x
  emailChange.delete                                  -        o       o      o         o           o      2         o           o          x              x             o          o                o              o              o              -       x

  linkedAccounts.list                                 -        o       o      o         o           o      2         o           o          x              x             o          o                o              o              o              -       x
  linkedAccounts.authorize                            -        i       i      i         i           i      2         i           i          x              x             i          i                i              i              i              -       x
  linkedAccounts.unlink                               -        o       0      0         0           0      2         o           0          x              x             0          0                0              0              0              -       x

  apiClients.list                                     -        o       o      o         o           o      2         o           o          x              x             o          o                o              o              o              -       x
  apiClients.create                                   -        i       i      i         i           i      2         i           i          x              x             i          i                i              i              i              -       x
  apiClients.delete                                   -        o       0      0         0           0      2         o           0          x              x             0          0                0              0              0              -       x

  passkeys.list                                       -        o       o      o         o           o      o         o           o          x              x             o          o                o              o              o              -       x
  passkeys.rename                                     -        o       0      0         0           0      0         o           0          x              x             0          0                0              0              0              -       x
  passkeys.delete                                     -        o       0      0         0           0      0         o           0          x              x             0          0                0              0              0              -       x

  pushDevices.list                                    -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  pushDevices.create                                  -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  pushDevices.delete                                  -        o       0      0         0           x      x         o           x          x              x             x          x                x              x              x              -       x

  billing.previewTier                                 -        o       o      n         n           x      x         o           x          x              x             x          x                x              x              x              -       x
  billing.changeTier                                  -        o       0      0         0           x      x         o           x          x              x             x          x                x              x              x              -       x
  billing.cancelTierChange                            -        o       o      n         n           x      x         o           x          x              x             x          x                x              x              x              -       x
  billing.resumeSubscription                          -        o       o      n         n           x      x         o           x          x              x             x          x                x              x              x              -       x
  billing.buyYear                                     -        i       i      i         i           x      x         i           x          x              x             x          x                x              x              x              -       x
  billing.buyTierUp                                   -        i       i      i         i           x      x         i           x          x              x             x          x                x              x              x              -       x
  billing.payByCard                                   -        i       i      i         i           x      x         i           x          x              x             x          x                x              x              x              -       x
  billing.updatePaymentMethod                         -        o       o      o         n           x      x         o           x          x              x             x          x                x              x              x              -       x
  billing.openInvoice                                 -        o       0      0         0           x      x         o           x          x              x             x          x                x              x              x              -       x
  billing.getPause                                    -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  billing.pause                                       -        o       o      n         n           x      x         o           x          x              x             x          x                x              x              x              -       x
  billing.extendPause                                 -        o       o      n         n           x      x         o           x          x              x             x          x                x              x              x              -       x
  billing.endPause                                    -        o       o      n         n           x      x         o           x          x              x             x          x                x              x              x              -       x
  billing.pauseForMember                              -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  billing.extendPauseForMember                        -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  billing.withdrawPause                               -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  billing.changeTierAtVenue                           -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  billing.keepTierAtVenue                             -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  billing.listPayments                                -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x

  gifts.buy                                           -        i       i      i         i           x      x         i           x          x              x             x          x                x              x              x              -       x
  gifts.list                                          -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  gifts.check                                         -        o       0      0         0           x      x         o           x          x              x             x          x                x              x              x              -       x
  gifts.showCode                                      -        o       0      0         0           x      x         o           x          x              x             x          x                x              x              x              -       x
  gifts.resend                                        -        i       i      i         i           x      x         i           x          x              x             x          x                x              x              x              -       x
  gifts.refund                                        -        o       0      0         0           x      x         o           x          x              x             x          x                x              x              x              -       x
  gifts.look                                          -        i       i      i         i           x      x         i           x          x              x             x          x                x              x              x              -       x
  gifts.redeem                                        -        i       i      i         i           x      x         i           x          x              x             x          x                x              x              x              -       x
  gifts.listForMember                                 -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  gifts.refundForMember                               -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x

  staffNotices.list                                   -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  staffNotices.settle                                 -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x
  staffNotices.reopen                                 -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x

  team.list                                           -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  team.listInvitations                                -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  team.invite                                         -        x       x      x         x           i      2         x           i          x              x             x          x                x              i              x              -       x
  team.withdrawInvitation                             -        x       x      x         x           0      2         x           0          x              x             x          x                x              0              x              -       x
  team.readInvitation                                 i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  team.acceptInvitation                               i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  team.setPermission                                  -        x       x      x         x           0      2         x           0          x              x             x          x                x              0              x              -       x
  team.remove                                         -        x       x      x         x           0      2         x           0          x              x             x          x                x              0              x              -       x
  team.signOut                                        -        x       x      x         x           0      2         x           0          x              x             x          x                x              0              x              -       x
  team.resetTwoFactor                                 -        x       x      x         x           i      2         x           i          x              x             x          x                x              i              x              -       x
  audit.list                                          -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  audit.export                                        -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x

  webhooks.list                                       -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  webhooks.create                                     -        x       x      x         x           i      2         x           i          x              x             x          x                x              i              x              -       x
  webhooks.update                                     -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  webhooks.delete                                     -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  webhooks.rotateSecret                               -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  webhooks.sendTest                                   -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  webhooks.listDeliveries                             -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  webhooks.replay                                     -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x
  webhooks.replaySince                                -        x       x      x         x           o      2         x           o          x              x             x          x                x              o              x              -       x

  imports.list                                        -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  imports.create                                      -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  imports.addRows                                     -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  imports.check                                       -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  imports.listRows                                    -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  imports.start                                       -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  imports.discard                                     -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x
  imports.undo                                        -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  imports.sendEmails                                  -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  imports.report                                      -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  imports.exportMembers                               -        x       x      x         x           o      2         x           o          x              x             x          o                x              x              x              -       x
  adoptions.create                                    -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x
  adoptions.check                                     -        x       x      x         x           i      2         x           i          x              x             x          x                i              x              x              -       x
  adoptions.start                                     -        x       x      x         x           i      2         x           i          x              x             x          x                i              x              x              -       x
  adoptions.undo                                      -        x       x      x         x           o      2         x           o          x              x             x          x                o              x              x              -       x

  reports.members                                     -        x       x      x         x           o      2         x           o          x              o             x          x                x              x              o              -       x
  reports.revenue                                     -        x       x      x         x           o      2         x           o          x              o             x          x                x              x              o              -       x
  reports.payments                                    -        x       x      x         x           o      2         x           o          x              o             x          x                x              x              o              -       x
  reports.pours                                       -        x       x      x         x           o      2         x           o          x              o             x          x                x              x              o              -       x
  reports.unused                                      -        x       x      x         x           o      2         x           o          x              o             x          x                x              x              o              -       x
  reports.export                                      -        x       x      x         x           o      2         x           o          x              o             x          x                x              x              o              -       x
  reports.tonight                                     -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x

  system.get                                          -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x

  privacy.exportData                                  -        o       o      o         o           o      2         o           o          x              x             o          o                o              o              o              -       x
  privacy.deleteAccount                               -        i       i      i         i           x      x         i           x          x              x             x          x                x              x              x              -       x
  privacy.deleteMemberAccount                         -        x       x      x         x           i      2         x           i          x              x             x          i                x              x              x              -       x

  paperCards.getOwn                                   -        o       o      o         o           x      x         o           x          x              x             x          x                x              x              x              -       x
  paperCards.issue                                    -        o       o      n         n           x      x         o           x          x              x             x          x                x              x              x              -       x
  paperCards.replace                                  -        o       o      n         n           x      x         o           x          x              x             x          x                x              x              x              -       x

  walletPasses.getApple                               -        0       0      0         0           x      x         0           x          x              x             x          x                x              x              x              -       x
  walletPasses.linkGoogle                             -        0       0      0         0           x      x         0           x          x              x             x          x                x              x              x              -       x

  functions.verifySubscriptionStatus                  -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  functions.getAvailablePours                         -        o       0      0         0           o      2         o           o          o              o             o          o                o              o              o              -       o
  functions.generateQrToken                           -        o       o      n         n           x      x         o           x          o              x             x          x                x              x              x              -       x
  functions.getSubscriptionDetails                    -        o       o      o         o           x      x         o           x          o              x             x          x                x              x              x              -       x
  functions.cancelSubscription                        -        o       o      n         n           x      x         o           x          x              x             x          x                x              x              x              -       x
  functions.createCheckout                            -        i       0      0         0           x      x         i           x          x              x             x          x                x              x              x              -       x
  functions.verifyQrToken                             -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       o
  functions.generateProfileSummary                    -        x       x      x         x           o      2         x           o          x              o             o          o                o              o              o              -       x

  auth.signUp                                         i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  auth.join                                           i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  auth.signIn                                         i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  auth.signInWithProvider                             i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  auth.signInWithPasskeyOptions                       o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  auth.signInWithPasskey                              i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  auth.signOut                                        o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  auth.recover                                        o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  auth.resetPassword                                  i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  auth.changePassword                                 -        i       i      i         i           i      i         i           i          x              x             i          i                i              i              i              -       x
  auth.choosePassword                                 -        i       i      i         i           i      2         i           i          x              x             i          i                i              i              i              -       x
  auth.verifyEmail                                    i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  auth.resendVerification                             o        i       i      i         i           i      i         i           i          o              o             i          i                i              i              i              o       o
  auth.confirmEmailChange                             i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  auth.listFactors                                    -        o       o      o         o           o      o         o           o          x              x             o          o                o              o              o              -       -
  auth.createFactor                                   -        i       i      i         i           i      i         i           i          x              x             i          i                i              i              i              -       x
  auth.challengeFactor                                -        o       0      0         0           0      0         o           0          x              x             0          0                0              0              0              -       -
  auth.verifyFactor                                   -        i       0      0         0           0      0         i           0          x              x             0          0                0              0              0              -       -
  auth.deleteFactor                                   -        i       0      0         0           0      0         i           0          x              x             0          0                0              0              0              -       x
  auth.createBackupCodes                              -        i       i      i         i           i      i         i           i          x              x             i          i                i              i              i              -       x
  auth.verifyBackupCode                               -        i       i      i         i           i      i         i           i          x              x             i          i                i              i              i              -       -
  auth.createPasskeyOptions                           -        i       i      i         i           i      i         i           i          x              x             i          i                i              i              i              -       x
  auth.createPasskey                                  -        i       i      i         i           i      i         i           i          x              x             i          i                i              i              i              -       x
  auth.signingKeys                                    o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  auth.wellKnownSigningKeys                           o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o

  tokens.create                                       i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  tokens.signUp                                       i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  tokens.getUser                                      -        o       o      o         o           o      o         o           o          x              x             o          o                o              o              o              -       -
  tokens.signOut                                      -        o       o      o         o           o      o         o           o          x              x             o          o                o              o              o              -       x

  POST /api/auth/token                                i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  POST /api/auth/token/                               i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  GET /api/auth/callback/:provider                    o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  GET /api/session                                    o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  GET /api/docs                                       o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  GET /api/docs.css                                   o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  GET /api/openapi.json                               o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  POST /api/csp-reports                               o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  GET /.well-known/security.txt                       0        0       0      0         0           0      0         0           0          0              0             0          0                0              0              0              0       0
  POST /unsubscribe                                   i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  POST /api/stripe/webhook                            i        i       i      i         i           i      i         i           i          i              i             i          i                i              i              i              i       i
  POST /api/wallet/apple/v1/devices/:device/registrations/:type/:serial  0  0  0  0     0           0      0         0           0          0              0             0          0                0              0              0              0       0
  DELETE /api/wallet/apple/v1/devices/:device/registrations/:type/:serial  0  0  0  0   0           0      0         0           0          0              0             0          0                0              0              0              0       0
  GET /api/wallet/apple/v1/devices/:device/registrations/:type  0  0   0      0         0           0      0         0           0          0              0             0          0                0              0              0              0       0
  GET /api/wallet/apple/v1/passes/:type/:serial       0        0       0      0         0           0      0         0           0          0              0             0          0                0              0              0              0       0
  POST /api/wallet/apple/v1/log                       0        0       0      0         0           0      0         0           0          0              0             0          0                0              0              0              0       0
  GET /healthz                                        o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  GET /readyz                                         o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
  GET /*                                              o        o       o      o         o           o      o         o           o          o              o             o          o                o              o              o              o       o
`;

/** The calls that each scope opens to API clients. */
const CALLS_OF_SCOPE: Record<string, string[]> = {
  'own:read': [
    'applications.getOwn',
    'billing.getPause',
    'billing.listPayments',
    'functions.getSubscriptionDetails',
    'memberEvents.subscribe',
    'members.getOwn',
    'pours.list',
    'pours.listMonths',
    'pours.listRolledOver',
    'profile.getTaste',
    'ratings.getPalate',
    'ratings.getQuestion',
  ],
  'own:write': [
    'applications.chooseTier',
    'applications.save',
    'functions.generateQrToken',
    'functions.verifySubscriptionStatus',
  ],
  'tiers:read': ['tiers.get', 'tiers.list', 'tiers.listNames'],
  'wines:read': ['wines.list', 'wines.listOpen', 'wines.listTonight'],
  'wines:write': ['wines.openBottle', 'wines.putAway'],
  'cards:read': ['functions.getAvailablePours', 'functions.verifyQrToken', 'members.getBarCard'],
  'pours:read': ['memberEvents.subscribeVenue', 'pours.listForCustomer'],
  'pours:write': ['benefits.take', 'benefits.void', 'club.listPlaces', 'pours.record', 'pours.void'],
  'members:read': [
    'directory.count',
    'directory.list',
    'functions.generateProfileSummary',
    'memberRecord.listTags',
    'memberRecord.listTimeline',
    'members.get',
    'members.list',
    'members.search',
    'ratings.getForMember',
  ],
  'applications:read': [
    'applications.count',
    'applications.countFound',
    'applications.get',
    'applications.list',
    'applications.search',
  ],
  'applications:write': ['applications.approve', 'applications.reject'],
  'reports:read': [
    'outreach.export',
    'outreach.listAtRisk',
    'reports.export',
    'reports.members',
    'reports.payments',
    'reports.pours',
    'reports.revenue',
    'reports.unused',
  ],
  'venue:read': ['reports.tonight', 'staffNotices.list', 'system.get', 'tierSettings.list'],
  'venue:write': ['staffNotices.reopen', 'staffNotices.settle'],
};

/** Routes before those of the contract; their calls have their own rows. */
const WILDCARDS = ['ALL /*', 'ALL /api/*', 'ALL /api/auth/*'];

const [head = [], ...rows] = TABLE.split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => line.trim().split(/\s{2,}/));

let cast: Cast;
beforeAll(async () => {
  cast = await createCast();
});
afterAll(() => cast.app.close());

it('the table has a row for every call and a column for every caller', () => {
  const paths = cast.app.mounted.map((it) => it.replace(/\{.*\}$/, ''));
  const mounted = paths.filter((it) => !WILDCARDS.includes(it));
  const all = [...procedures.keys(), ...mounted];
  expect(rows.map(([name]) => name).sort()).toEqual([...new Set(all)].sort());
  expect(paths).toEqual(expect.arrayContaining(WILDCARDS));
  expect(head).toEqual([...COLUMNS]);
});

it('the published document asks for a session exactly where neither a visitor nor a tablet may call', async () => {
  const operations = [...operationsOf(await openApiDocument('https://club.example'))];
  const secured = operations.filter(({ operation }) => operation.security?.length !== 0);
  const refused = (row: string[], who: Column) => row[COLUMNS.indexOf(who) + 1] === '-';
  const closed = rows.filter(
    (row) => procedures.has(row[0] ?? '') && refused(row, 'visitor') && refused(row, 'tablet'),
  );
  expect(secured.map(({ operation }) => operation.operationId).sort()).toEqual(
    closed.map(([name]) => name).sort(),
  );
});

it('exactly the calls that an API client may make have a scope, and each its own', () => {
  const letter = (row: string[], who: (typeof COLUMNS)[number]) => row[COLUMNS.indexOf(who) + 1] ?? '';
  const needsUser = rows.filter((row) => procedures.has(row[0] ?? '') && letter(row, 'visitor') === '-');
  const open = needsUser.filter((row) =>
    [letter(row, 'member-client'), letter(row, 'staff-client')].some((it) => !'-x'.includes(it)),
  );
  const scoped = Object.values(CALLS_OF_SCOPE).flat();
  expect([...scoped].sort()).toEqual(open.map(([name]) => name).sort());
  const declared = Object.entries(CALLS).flatMap(([name, { scope }]) => (scope ? [[name, scope]] : []));
  const expected = Object.entries(CALLS_OF_SCOPE).flatMap(([scope, names]) => names.map((it) => [it, scope]));
  expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(expected));
});

test.each(rows.map(([name = '', ...letters]) => ({ name, letters: letters.join(' ') })))(
  '$name: $letters',
  async ({ name, letters }) => {
    const { request, build } = rowOf(name);
    // Many rows send a wrong password, and together would use up the member's attempts.
    await cast.app.services.db.delete(rate_limits);
    const restore = request.endsSessions ? await cast.saveSessions() : undefined;
    const answers = new Map<string, string>();
    // Outsiders go first, with the ids that then work for the member.
    const target = await build(cast);
    const before = await cast.memberRows();
    const asOutsider = async (who: Column) => {
      const answer = await cast.send(who, target);
      answers.set(who, letterOf(answer, request.deserves));
      for (const secret of cast.secrets) expect(answer.text, who).not.toContain(secret);
    };
    await Promise.all(OUTSIDERS.filter((who) => who !== 'tablet').map(asOutsider));
    // The five callers above ask for the same email, and a sixth would be over the limit.
    await cast.app.services.db.delete(rate_limits);
    await asOutsider('tablet');
    expect(await cast.memberRows()).toEqual(before);
    for (const who of INSIDERS) {
      answers.set(who, letterOf(await cast.send(who, await build(cast)), request.deserves));
      await restore?.();
    }
    expect(COLUMNS.map((who) => `${who} ${answers.get(who)}`)).toEqual(
      COLUMNS.map((who, index) => `${who} ${letters.split(' ')[index]}`),
    );
  },
);

it('the published document says of the calls that no session opens, and only of them, that they need none', async () => {
  // Calls that visitors can make, or that refuse a member as not signed in.
  const needsNone = new Map(
    rows.map(([name = '', visitor, member]) => [name, visitor !== '-' || member === '-']),
  );
  const documented = [...operationsOf(await openApiDocument('https://club.example'))].map(
    ({ operation: { operationId = '', security = [] } }) => [operationId, security.length === 0],
  );
  expect(documented.length).toBe(procedures.size);
  expect(documented.filter(([name, open]) => needsNone.get(String(name)) !== open)).toEqual([]);
});

it('the published document names every answer: its status, content type and schema', () => {
  // Each answer of the table was judged when it came; one that does not fit failed its row.
  const operations = new Set([...cast.judged.keys()].map((key) => key.split(' ')[0]));
  expect([...procedures.keys()].filter((name) => !operations.has(name))).toEqual([]);
});

it("a user can neither pay for nor change another user's application", async () => {
  const applicationId = await applied(await cast.app.customer());
  const other = await cast.app.customer();
  const checkout = { tierName: 'select', applicationId };
  const path = '/api/functions/create-checkout';
  expect(await other.call('POST', path, checkout)).toMatchObject({ status: 404 });
  expect(await other.call('POST', path, { ...checkout, userId: cast.member.caller.id })).toMatchObject({
    status: 403,
    body: { code: 'NOT_ALLOWED' },
  });
  const survey = { id: applicationId, preferences: RATINGS, current_step: 1, is_complete: false };
  expect(await other.call('PUT', '/api/applications/own', survey)).toMatchObject({ status: 404 });
});

it('the token of an API client is not a session: GET /api/session returns no user', async () => {
  for (const who of ['member-client', 'staff-client'] as const) {
    const { text } = await cast.send(who, { method: 'GET', path: '/api/session' });
    expect(JSON.parse(text)).toEqual({ user: null });
  }
});

it('an API client of staff without a second factor is refused, as they are', async () => {
  const staff = await cast.app.staff();
  const [id, secret] = [cast.app.services.newId(), cast.app.services.newSecret()];
  await cast.app.services.db.insert(api_clients).values({
    id,
    user_id: staff.id,
    name: 'From before it was required',
    secret_hash: hashOfSecret(secret),
    scopes: ['members:read'],
    created_at: cast.app.clock.now(),
  });
  const headers = await tokenOf(cast.app, { client_id: id, client_secret: secret });
  const answer = await cast.send('visitor', { method: 'GET', path: '/api/customers', headers });
  expect(letterOf(answer)).toBe('2');
});
