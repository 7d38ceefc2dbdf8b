import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { orpc } from '../api/client.ts';
import { readDevicePush } from '../api/device/device-push.ts';
import { turnPushOff, turnPushOn } from '../api/device/push.ts';
import { Card } from '../ui/card.tsx';
import { failureToast, toast } from '../ui/toast.ts';
import { useSend } from '../ui/use-send.ts';

const DEVICE = ['push on this device'];

/** The switch for notifications on this device, or why there is none. */
export function PushCard() {
  const client = useQueryClient();
  const device = useQuery({ queryKey: DEVICE, queryFn: readDevicePush });
  const supported = device.data?.support === 'yes';
  const server = useQuery({ ...orpc.pushDevices.list.queryOptions(), enabled: supported });
  const mine = server.data?.devices.find(({ endpoint }) => endpoint === device.data?.endpoint);
  const isDenied = device.data?.permission === 'denied';

  const { busy, send } = useSend();
  const [choice, setChoice] = useState(false);
  const change = (on: boolean) => {
    setChoice(on);
    return send(
      async () => {
        if (!on) return mine && turnPushOff(mine.id);
        if (server.data && (await turnPushOn(server.data.server_key))) toast.success('Notifications are on');
      },
      failureToast('We couldn’t change your notifications', 'Please try again.'),
      () =>
        Promise.all([
          client.invalidateQueries({ queryKey: DEVICE }),
          client.invalidateQueries({ queryKey: orpc.pushDevices.list.key() }),
        ]),
    );
  };

  if (!device.data) return null;
  if (device.data.support === 'no') {
    return (
      <Card title="Notifications">
        <p className="text-ink-muted">This browser can’t show notifications.</p>
      </Card>
    );
  }
  return (
    <Card title="Notifications">
      <p className="text-ink-muted">
        We’ll notify you if a payment fails, or if you have pours left a few days before they reset.
        Notifications never show amounts.
      </p>
      {device.data.support === 'install' ? (
        <p className="mt-4">
          First add the app to your home screen: tap Share, then Add to Home Screen. Then open it there.
        </p>
      ) : isDenied ? (
        <p className="mt-4">
          Your browser blocks notifications. Allow them for this site in the settings of your browser or
          device, then come back.
        </p>
      ) : (
        <label className="target mt-4 flex items-center gap-3">
          <input
            type="checkbox"
            className="size-5 accent-accent"
            checked={busy ? choice : mine !== undefined}
            disabled={busy || !server.data}
            onChange={(event) => change(event.target.checked)}
          />
          Show notifications on this device
        </label>
      )}
    </Card>
  );
}
