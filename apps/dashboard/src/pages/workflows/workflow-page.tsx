import { Workflow } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function WorkflowPage() {
  return (
    <Page title="Workflow">
      <Empty icon={<Workflow size={22} />} title="Workflow">
        This page is not there yet.
      </Empty>
    </Page>
  );
}
