import { LayoutDashboard } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function OverviewPage() {
  return (
    <Page title="Overview">
      <Empty icon={<LayoutDashboard size={22} />} title="Overview">
        This page is not there yet.
      </Empty>
    </Page>
  );
}
