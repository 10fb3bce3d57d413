import { Workflow } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function WorkflowsPage() {
  return (
    <Page title="Workflows">
      <Empty icon={<Workflow size={22} />} title="Workflows">
        This page is not there yet.
      </Empty>
    </Page>
  );
}
