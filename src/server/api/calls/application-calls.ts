import {
  countApplications,
  exportApplications,
  listApplications,
} from '../../membership/application-list.ts';
import {
  approveApplication,
  getApplication,
  rejectApplication,
} from '../../membership/application-reviews.ts';
import { chooseTier, getOwnApplication, saveApplication } from '../../membership/applications.ts';
import type { Calls } from '../call.ts';

export const applicationCalls = {
  'applications.getOwn': { policy: 'member', limit: 'read', scope: 'own:read', verb: getOwnApplication },
  'applications.save': { policy: 'member', limit: 'write', scope: 'own:write', verb: saveApplication },
  'applications.chooseTier': { policy: 'member', limit: 'write', scope: 'own:write', verb: chooseTier },
  'applications.list': { policy: 'staff', limit: 'read', scope: 'applications:read', verb: listApplications },
  'applications.search': {
    policy: 'staff',
    limit: 'search',
    scope: 'applications:read',
    verb: listApplications,
  },
  'applications.count': {
    policy: 'staff',
    limit: 'read',
    scope: 'applications:read',
    verb: countApplications,
  },
  'applications.countFound': {
    policy: 'staff',
    limit: 'search',
    scope: 'applications:read',
    verb: countApplications,
  },
  'applications.export': { policy: 'exportLists', limit: 'account', verb: exportApplications },
  'applications.get': { policy: 'staff', limit: 'read', scope: 'applications:read', verb: getApplication },
  'applications.approve': {
    policy: 'staff',
    limit: 'write',
    scope: 'applications:write',
    verb: approveApplication,
  },
  'applications.reject': {
    policy: 'staff',
    limit: 'write',
    scope: 'applications:write',
    verb: rejectApplication,
  },
} satisfies Partial<Calls>;
