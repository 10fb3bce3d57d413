import { Activity } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function ExecutionPage() {
  return (
    <Page title="Execution">
      <Empty icon={<Activity size={22} />} title="Execution">
        This page is not there yet.
      </Empty>
    </Page>
  );
}
