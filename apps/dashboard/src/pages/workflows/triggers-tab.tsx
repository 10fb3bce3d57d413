import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FlaskConical, Zap } from 'lucide-react';
import { api, call, type Schemas } from '../../data/api.ts';
import type { Trigger, Workflow } from '../../data/workflows.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty, ErrorState, Loaded } from '../../ui/states.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import { Time } from '../../ui/time.tsx';
import type { Draft } from './model/graph.ts';
import { useTriggers } from './use-workflows.ts';

const tones = { active: 'success', starting: 'waiting', failing: 'error' } as const;
const skipTexts = { missed: 'missed', overlap: 'the previous one ran', queueFull: 'the queue was full' } as const;

/** The triggers of a workflow: state, next tick, URLs, and the state that nodes keep. */
export function TriggersTab({ workflow, draft }: { workflow: Workflow; draft: Draft }) {
  const triggers = useTriggers(workflow.id);
  return (
    <div className="tab-page">
      <Card title="Triggers">
        <Loaded query={triggers} rows={3}>
          {({ data, registrations }) =>
            data.length === 0 ? (
              <Empty icon={<Zap size={20} />} title={workflow.active ? 'No triggers' : 'The workflow is not active'}>
                {workflow.active
                  ? 'The active version has no node that starts it by itself.'
                  : 'Activate it, and its schedules and webhooks appear here.'}
              </Empty>
            ) : (
              <ul className="trigger-list">
                {data.map((trigger) => (
                  <TriggerRow key={`${trigger.nodeName} ${trigger.kind}`} trigger={trigger} />
                ))}
                {registrations.map(({ nodeName, name, state, lastError }) => (
                  <li key={`${nodeName} ${name}`}>
                    <Badge tone={state === 'registered' ? 'success' : 'waiting'}>{state}</Badge>
                    <strong>{nodeName}</strong>
                    <span className="muted">at a remote service</span>
                    {lastError && <span className="field-error grow">{lastError}</span>}
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Card>
      <TestUrls workflowId={workflow.id} draft={draft} />
      <Card title="Static data">
        {workflow.staticData ? (
          <div className="data-tree">
            <JsonTree value={workflow.staticData} label="Static data" />
          </div>
        ) : (
          <p className="card-text muted">Nodes have stored nothing between runs.</p>
        )}
      </Card>
    </div>
  );
}

function TriggerRow({ trigger }: { trigger: Trigger }) {
  const { nodeName, kind, status, nextRunAt, lastExecutionId, lastSkip, lastError, retryAt, urls = [] } = trigger;
  return (
    <li>
      <Badge tone={tones[status]}>{status}</Badge>
      <strong>{nodeName}</strong>
      <span className="muted">{kind}</span>
      {nextRunAt && (
        <span>
          next <Time at={nextRunAt} />
        </span>
      )}
      {lastExecutionId && (
        <Link to="/executions/$executionId" params={{ executionId: lastExecutionId }} className="link">
          last execution {lastExecutionId}
        </Link>
      )}
      {lastSkip && (
        <span className="muted">
          skipped <Time at={lastSkip.at} />: {skipTexts[lastSkip.reason]}
        </span>
      )}
      {lastError && (
        <span className="field-error trigger-line">
          {lastError} {retryAt && <Time at={retryAt} />}
        </span>
      )}
      {urls.map(({ methods, url }) => (
        <Url key={url} methods={methods} url={url} />
      ))}
    </li>
  );
}

function Url({ methods = [], url }: { methods?: readonly string[]; url: string }) {
  return (
    <span className="trigger-line row">
      {methods.map((method) => (
        <Badge key={method}>{method}</Badge>
      ))}
      <code className="truncate">{url}</code>
      <CopyButton text={url} label="Copy the URL" />
    </span>
  );
}

const pollMs = 1_500;

/** URLs that accept one request for the draft, without an activation. */
function TestUrls({ workflowId, draft }: { workflowId: string; draft: Draft }) {
  const params = { path: { id: workflowId } };
  const opened = useMutation({
    mutationFn: () => {
      const { name, nodes, connections, settings, pinData } = draft;
      const workflowData = { name, nodes: [...nodes], connections, settings, pinData };
      return call(api.POST('/workflows/{id}/test-urls', { params, body: { workflowData } }));
    },
  });
  const state = useQuery({
    queryKey: ['workflows', workflowId, 'test-urls', opened.data?.expiresAt],
    queryFn: () => call(api.GET('/workflows/{id}/test-urls', { params })),
    enabled: opened.data !== undefined,
    refetchInterval: ({ state: { data } }) => (data?.open === false ? false : pollMs),
  });
  const urls = state.data ?? opened.data;
  return (
    <Card
      title="Test URLs"
      actions={
        <Button icon={<FlaskConical size={14} />} busy={opened.isPending} onClick={() => opened.mutate()}>
          {urls ? 'Open again' : 'Open test URLs'}
        </Button>
      }
    >
      {opened.error ? <ErrorState error={opened.error} /> : null}
      {urls ? (
        <OpenUrls urls={urls} />
      ) : (
        <p className="card-text muted">A webhook or form of the graph as you see it accepts one request at a test URL.</p>
      )}
    </Card>
  );
}

function OpenUrls({ urls: { open, expiresAt, executionId, urls } }: { urls: Schemas['TestUrls'] }) {
  return (
    <ul className="trigger-list">
      {urls.map(({ nodeName, kind, methods, url }) => (
        <li key={`${nodeName} ${url}`}>
          <Badge tone={open ? 'success' : 'neutral'}>{open ? 'waits for a request' : 'closed'}</Badge>
          <strong>{nodeName}</strong>
          <span className="muted">{kind}</span>
          {open && (
            <span className="muted">
              expires <Time at={expiresAt} />
            </span>
          )}
          <Url methods={methods} url={url} />
        </li>
      ))}
      {executionId && (
        <li>
          <Link to="/executions/$executionId" params={{ executionId }} className="link">
            A request arrived: execution {executionId}
          </Link>
        </li>
      )}
    </ul>
  );
}
