import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { orpc } from '../../api/client.ts';
import { settingUp, useDeviceSetting } from '../../api/device-setting.ts';
import { site } from '../../api/site.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';

type Todo = 'two_factor' | 'tiers' | 'payments' | 'team' | 'email';

const ITEMS: { what: Todo; label: string; to: LinkProps['to'] }[] = [
  { what: 'two_factor', label: 'Turn on two-step sign-in', to: '/staff/account' },
  { what: 'tiers', label: 'Look through your tiers and prices', to: '/staff/tiers' },
  {
    what: 'payments',
    label: site.payments === 'off' ? 'Turn on card payments' : 'Check Stripe',
    to: '/staff/payments',
  },
  { what: 'email', label: 'Set up a mail server (SMTP_URL), so that members get email', to: '/staff/system' },
  { what: 'team', label: 'Invite your team', to: '/staff/team' },
];

/** The remaining tasks of a new club, on the device that set it up, until everything is done or the card is hidden. */
export function TodoCard() {
  return useDeviceSetting(settingUp) ? <Todos /> : null;
}

function Todos() {
  const { data } = useQuery(orpc.setup.listTodo.queryOptions());
  const left = ITEMS.filter(({ what }) => data?.[what]);
  if (left.length === 0) return null;
  return (
    <Card
      title="Left to Do"
      aside={
        <Button variant="quiet" size="sm" onClick={() => settingUp.write(false)}>
          Hide
        </Button>
      }
    >
      <ul className="flex flex-col">
        {left.map(({ what, label, to }) => (
          <li key={what}>
            <Link to={to} className="link target inline-flex items-center">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
