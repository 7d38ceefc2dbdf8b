import type { LucideIcon } from 'lucide-react';
import Bell from 'lucide-react/icons/bell';
import CircleQuestionMark from 'lucide-react/icons/circle-question-mark';
import FolderDown from 'lucide-react/icons/folder-down';
import Gift from 'lucide-react/icons/gift';
import Image from 'lucide-react/icons/image';
import ShieldCheck from 'lucide-react/icons/shield-check';
import SunMoon from 'lucide-react/icons/sun-moon';
import UserRound from 'lucide-react/icons/user-round';
import Users from 'lucide-react/icons/users';

/** The pages of the account, in the order of the rows and of the rail. */
export const ACCOUNT_PAGES = [
  { to: '/account', label: 'Account', icon: UserRound },
  { to: '/household', label: 'Sharing', icon: Users },
  { to: '/gift', label: 'Gifts', icon: Gift },
  { to: '/account/photo', label: 'Photo', icon: Image },
  { to: '/account/security', label: 'Security', icon: ShieldCheck },
  { to: '/account/notifications', label: 'Notifications and Emails', icon: Bell },
  { to: '/account/appearance', label: 'Appearance', icon: SunMoon },
  { to: '/account/data', label: 'Your Data', icon: FolderDown },
  { to: '/help', label: 'Help', icon: CircleQuestionMark },
] as const satisfies readonly { to: string; label: string; icon: LucideIcon }[];
