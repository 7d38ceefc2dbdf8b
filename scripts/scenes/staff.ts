import type { Scene } from './scene.ts';
import { barScenes } from './staff-bar.ts';
import { membersScenes } from './staff-members.ts';
import { officeScenes } from './staff-office.ts';
import { systemScenes } from './staff-system.ts';

export const staffScenes: Scene[] = [...barScenes, ...membersScenes, ...officeScenes, ...systemScenes];
