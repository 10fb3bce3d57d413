import { expect, test } from '@jest/globals';
import type { WorkflowNode } from '@sluice/domain';
import { SupportCounter } from './support-report.ts';

const versions = new Map([['n8n-nodes-base.set', [1, 2, 3]]]);
const known = { nodeVersions: (type: string) => versions.get(type), hasCredentialType: (name: string) => name === 'postgres' };

function nodeOf(type: string, rest: Partial<WorkflowNode> = {}): WorkflowNode {
  return { name: type, type: `n8n-nodes-base.${type}`, position: [0, 0], parameters: {}, ...rest };
}

test('what is missing is told by frequency: types, versions and credential types; notes and absent versions are not missed', () => {
  const counter = new SupportCounter(known);
  counter.fileRead(4);
  counter.fileRead();
  counter.importable([nodeOf('set', { typeVersion: 3 }), nodeOf('set'), nodeOf('stickyNote')]);
  counter.importable([nodeOf('gone'), nodeOf('gone'), nodeOf('set', { typeVersion: 9 })]);
  counter.importable([nodeOf('gone'), nodeOf('set', { credentials: { postgres: {}, secretApi: {} } })]);
  expect(counter.report()).toEqual({
    files: { read: 2, parsed: 1 },
    workflows: 4,
    importable: 3,
    supported: 1,
    missingNodeTypes: [
      { name: 'n8n-nodes-base.gone', workflows: 2, nodes: 3 },
      { name: 'n8n-nodes-base.set 9', workflows: 1, nodes: 1 },
    ],
    missingCredentialTypes: [{ name: 'secretApi', workflows: 1, nodes: 1 }],
  });
});
