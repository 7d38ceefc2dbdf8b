import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { orpc } from '../../api/client.ts';
import { Card } from '../../ui/card.tsx';
import { sharesText } from './shared-pours.tsx';

export default function HouseholdPanel() {
  const { data } = useQuery(orpc.households.get.queryOptions());
  if (!data?.other) return null;
  const { first_name } = data.other;
  return (
    <Card
      title={data.role === 'holder' ? `Shared with ${first_name}` : `${first_name}’s membership`}
      aside={
        <Link to="/household" className="link">
          Household
        </Link>
      }
    >
      <p>
        This month: <strong>{sharesText(data.pours, first_name)}</strong>
      </p>
    </Card>
  );
}
