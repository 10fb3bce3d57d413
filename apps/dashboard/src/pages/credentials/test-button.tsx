import { CircleAlert, CircleCheck, PlugZap } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../data/api.ts';
import { messageOf } from '../../data/errors.ts';
import { Button } from '../../ui/button.tsx';
import { testCredential } from './credential-queries.ts';

interface TestButtonProps {
  /** Empty `id`: the data is not stored yet. */
  test: { id: string; type: string; data?: Record<string, unknown> };
}

/** Signs in to the service with this data, and shows its response. */
export function TestButton({ test }: TestButtonProps) {
  const [state, setState] = useState<{ busy: boolean; result?: Schemas['CredentialTestResult'] }>({ busy: false });
  const run = async () => {
    setState({ busy: true });
    const result = await testCredential(test.id, test.type, test.data).catch((error: unknown) => ({
      status: 'error' as const,
      message: messageOf(error),
    }));
    setState({ busy: false, result });
  };
  const { result } = state;
  return (
    <>
      <Button icon={<PlugZap size={14} />} busy={state.busy} onClick={() => void run()}>
        Test
      </Button>
      <span className="test-result grow" role="status" data-tone={result?.status}>
        {result?.status === 'success' && <CircleCheck size={15} />}
        {result?.status === 'error' && <CircleAlert size={15} />}
        {result?.message}
      </span>
    </>
  );
}
