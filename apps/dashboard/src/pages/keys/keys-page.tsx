import { KeyRound } from 'lucide-react';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';

export function KeysPage() {
  return (
    <Page title="API keys">
      <Empty icon={<KeyRound size={22} />} title="API keys">
        This page is not there yet.
      </Empty>
    </Page>
  );
}
