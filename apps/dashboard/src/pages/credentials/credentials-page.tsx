import { ShieldCheck } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function CredentialsPage() {
  return (
    <Page title="Credentials">
      <Empty icon={<ShieldCheck size={22} />} title="Credentials">
        This page is not there yet.
      </Empty>
    </Page>
  );
}
