import { ScrollText } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function AuditPage() {
  return (
    <Page title="Audit log">
      <Empty icon={<ScrollText size={22} />} title="Audit log">
        The API does not read the audit log. An operator prints it on the machine of the service:{' '}
        <code>sluice audit --since 24h</code>.
      </Empty>
    </Page>
  );
}
