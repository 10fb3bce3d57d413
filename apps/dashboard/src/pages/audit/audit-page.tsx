import { ScrollText } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function AuditPage() {
  return (
    <Page title="Audit log">
      <Empty icon={<ScrollText size={22} />} title="Audit log">
        This page is not there yet.
      </Empty>
    </Page>
  );
}
