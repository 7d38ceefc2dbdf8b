import { Menu } from '@base-ui/react/menu';
import Columns3 from 'lucide-react/icons/columns-3';
import { useDeviceSetting } from '../../api/device-setting.ts';
import { buttonStyle } from '../../ui/button-style.ts';
import { Icon } from '../../ui/icon.tsx';
import { LIST_COLUMNS, shownColumns } from './list-columns.tsx';

export function ColumnMenu() {
  const names = useDeviceSetting(shownColumns).split(',');
  const change = (name: string, checked: boolean) =>
    shownColumns.write(
      LIST_COLUMNS.map((it) => it.name)
        .filter((it) => (it === name ? checked : names.includes(it)))
        .join(','),
    );
  return (
    <Menu.Root>
      <Menu.Trigger className={buttonStyle({ variant: 'secondary', size: 'sm' })}>
        <Columns3 size={18} />
        Columns
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="end" className="z-40">
          <Menu.Popup className="min-w-52 rounded-lg border border-line bg-surface-raised p-1.5 shadow-raised outline-none">
            {LIST_COLUMNS.map(({ name, label }) => (
              <Menu.CheckboxItem
                key={name}
                checked={names.includes(name)}
                onCheckedChange={(checked) => change(name, checked)}
                closeOnClick={false}
                className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-3 outline-none data-highlighted:bg-accent-soft data-highlighted:text-accent-text"
              >
                <span className="grid size-5 place-items-center rounded-sm border border-line-strong">
                  <Menu.CheckboxItemIndicator>
                    <Icon shape="check" size={15} strokeWidth={2.5} />
                  </Menu.CheckboxItemIndicator>
                </span>
                {label}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
