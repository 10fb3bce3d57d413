import { Package } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function PackagesPage() {
  return (
    <Page title="Packages">
      <Empty icon={<Package size={22} />} title="Packages">
        This page is not there yet.
      </Empty>
    </Page>
  );
}
