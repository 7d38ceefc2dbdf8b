import { TabLink, TabNav } from '../../ui/tab-nav.tsx';

export function WineTabs() {
  return (
    <TabNav label="Wines">
      <TabLink to="/wines">Tonight</TabLink>
      <TabLink to="/pours">My Pours</TabLink>
      <TabLink to="/account/taste">My Taste</TabLink>
    </TabNav>
  );
}
