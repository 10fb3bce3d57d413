import { Activity } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function ExecutionsPage() {
  return (
    <Page title="Executions">
      <Empty icon={<Activity size={22} />} title="Executions">
        This page is not there yet.
      </Empty>
    </Page>
  );
}
