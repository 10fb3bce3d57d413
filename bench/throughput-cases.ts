interface BenchNode {
  name: string;
  type: string;
  typeVersion: number;
  parameters: object;
}

const webhook = (path: string): BenchNode => ({
  name: 'Webhook',
  type: 'base.webhook',
  typeVersion: 2,
  parameters: { path, httpMethod: 'POST', responseMode: 'onReceived' },
});

const set = (name: string, value: string): BenchNode => ({
  name,
  type: 'base.set',
  typeVersion: 3.4,
  parameters: { assignments: { assignments: [{ name: 'value', type: 'string', value }] }, options: {} },
});

/** A chain of nodes. */
function chain(nodes: readonly BenchNode[]): object {
  const to = (i: number) => ({ main: [[{ node: nodes[i]?.name, type: 'main', index: 0 }]] });
  return {
    nodes: nodes.map((node, i) => ({ ...node, position: [i * 200, 0] })),
    connections: Object.fromEntries(nodes.slice(0, -1).map(({ name }, i) => [name, to(i + 1)])),
  };
}

function ifSetMerge(path: string): object {
  const condition = {
    id: 'c',
    leftValue: '={{ $json.body.n }}',
    rightValue: 10,
    operator: { type: 'number', operation: 'gt' },
  };
  const options = { caseSensitive: true, typeValidation: 'strict', version: 2 };
  const nodes: BenchNode[] = [
    webhook(path),
    {
      name: 'If',
      type: 'base.if',
      typeVersion: 2.2,
      parameters: { conditions: { options, conditions: [condition], combinator: 'and' } },
    },
    set('High', 'high'),
    set('Low', 'low'),
    { name: 'Merge', type: 'base.merge', typeVersion: 3, parameters: {} },
  ];
  const to = (node: string, index = 0) => [{ node, type: 'main', index }];
  const connections = {
    Webhook: { main: [to('If')] },
    If: { main: [to('High'), to('Low')] },
    High: { main: [to('Merge')] },
    Low: { main: [to('Merge', 1)] },
  };
  return { nodes: nodes.map((node, i) => ({ ...node, position: [i * 200, 0] })), connections };
}

const code: BenchNode = {
  name: 'Code',
  type: 'base.code',
  typeVersion: 2,
  parameters: { jsCode: 'return $input.all().map(({ json }) => ({ json: { twice: json.body.n * 2 } }));' },
};

/** Webhook → set; the webhook responds immediately. */
export function webhookToSet(path: string): object {
  return chain([webhook(path), set('Set', '={{ $json.body.n }}')]);
}

/** Workflows by webhook path; the webhooks respond immediately. */
export const throughputCases: Readonly<Record<string, object>> = {
  set: webhookToSet('set'),
  sets: chain([webhook('sets'), ...Array.from({ length: 10 }, (_, i) => set(`Set ${i}`, '={{ $workflow.name }}'))]),
  code: chain([webhook('code'), code]),
  merge: ifSetMerge('merge'),
};
