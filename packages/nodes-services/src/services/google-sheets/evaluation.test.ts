import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { JsonObject, NodeHint, Suspension, WorkflowAccess } from '@sluice/node-sdk';
import { type FakeRun, fakeContext, runForJson } from '@sluice/nodes-base/testing';
import { type AiEngine, aiEngine } from '../../../../nodes-ai/src/testing/run-ai.ts';
import { evaluation } from './evaluation.ts';
import { evaluationTrigger } from './evaluation-trigger.ts';
import { googleSheetsServer, type SheetsServer } from './testing/google-sheets-server.ts';

let server: SheetsServer;
let engine: AiEngine;
beforeAll(async () => {
  server = await googleSheetsServer();
  const account = { oauthTokenData: { access_token: 'ya29' } };
  engine = aiEngine({ account }, { 'https://sheets.googleapis.com': server.origin });
});
beforeEach(() => {
  server.sheets = {
    Cases: [
      ['question', 'expected', 'actual'],
      ['1 + 1', 2],
      ['2 + 2', 5],
      ['3 + 3', 6],
    ],
  };
});
afterEach(() => server.verify());
afterAll(() => Promise.all([server.close(), engine.close()]));

const dataset = {
  documentId: { __rl: true, mode: 'id', value: 'doc1' },
  sheetName: { __rl: true, mode: 'list', value: 'gid=0', cachedResultName: 'Cases' },
};
const sheets = { typeVersion: 4.6, credentials: { googleSheetsOAuth2Api: 'account' } };
/** The name of the node becomes its type in the tests of the engine. */
const trigger = 'evaluation-trigger';

test('an evaluation writes outputs to the row of its test case, and outputs metrics', async () => {
  const chosen = { ...dataset, filtersUI: { values: [{ lookupColumn: 'expected', lookupValue: 5 }] } };
  const sum = { id: '1', name: 'sum', type: 'number', value: '={{ Number($json.question[0]) * 2 }}' };
  const run = await engine.run({
    [trigger]: { type: evaluationTrigger, parameters: chosen, ...sheets, to: { Answer: 'main' } },
    Answer: {
      type: 'base.set',
      typeVersion: 3.4,
      parameters: { assignments: { assignments: [sum] } },
      to: { 'Evaluating?': 'main' },
    },
    'Evaluating?': { type: evaluation, typeVersion: 4.6, parameters: { operation: 'checkIfEvaluating' }, to: { Save: 'main' } },
    Save: {
      type: evaluation,
      parameters: {
        ...dataset,
        outputs: {
          values: [
            { outputName: 'actual', outputValue: '={{ $json.sum }}' },
            { outputName: 'correct', outputValue: `={{ $json.sum === $('${trigger}').item.json.expected }}` },
          ],
        },
      },
      ...sheets,
      to: { Rate: 'main' },
    },
    Rate: {
      type: evaluation,
      typeVersion: 4.6,
      parameters: {
        operation: 'setMetrics',
        metrics: {
          assignments: [
            { id: '1', name: 'correct', type: 'number', value: `={{ $json.sum === $('${trigger}').item.json.expected }}` },
          ],
        },
      },
    },
  });
  expect(run.outcome).toMatchObject({ status: 'success' });
  expect(run.json(trigger)).toEqual([{ row_number: 3, question: '2 + 2', expected: 5, actual: '' }]);
  expect(run.json('Rate')).toEqual([{ correct: 0 }]);
  expect(server.sheets['Cases']).toEqual([
    ['question', 'expected', 'actual', 'correct'],
    ['1 + 1', 2],
    ['2 + 2', 5, 4, false],
    ['3 + 3', 6],
  ]);
});

test('another execution takes the second output, writes nothing, and passes its items on', async () => {
  const run = await engine.run(
    {
      Answer: { type: 'base.no-op', to: { 'Evaluating?': 'main' } },
      'Evaluating?': {
        type: evaluation,
        typeVersion: 4.6,
        parameters: { operation: 'checkIfEvaluating' },
        to: { Never: 'main' },
      },
      Never: { type: 'base.no-op' },
      [trigger]: { type: evaluationTrigger, parameters: dataset, ...sheets, to: { Answer: 'main' } },
    },
    [{ a: 1 }],
  );
  const [record] = run.records.filter(({ nodeName }) => nodeName === 'Evaluating?');
  expect(record?.run.data?.['main']).toMatchObject([[], [{ json: { a: 1 } }]]);
  expect(run.json('Never')).toEqual([]);
  const values = [{ outputName: 'actual', outputValue: 'x' }];
  expect(
    await runForJson(evaluation, { typeVersion: 4.6, parameters: { ...dataset, outputs: { values } }, json: [{ a: 1 }] }),
  ).toEqual([{ a: 1 }]);
  expect(server.received).toEqual([]);
});

const workflow = { id: 'w', name: 'Workflow', graphHash: 'h', returnsAllRuns: false };
const workflows = { current: () => ({ workflow, destinationNode: 'Rate' }) } as WorkflowAccess;

/** Runs the trigger; `rows`: numbers of the rows that sub-executions evaluate. */
async function evaluate(parameters: JsonObject, more: FakeRun = {}) {
  let suspension: Suspension | undefined;
  const hints: NodeHint[] = [];
  const output = await runForJson(evaluationTrigger, {
    typeVersion: 4.6,
    parameters: { ...dataset, ...parameters },
    http: server.http,
    credentials: { googleSheetsOAuth2Api: { oauthTokenData: { access_token: 'ya29' } } },
    workflows,
    suspended: (one) => (suspension = one),
    addHints: (...added) => hints.push(...added),
    ...more,
  });
  const runs = suspension?.kind === 'workflows' ? suspension.runs : [];
  const rows = runs.flatMap(({ items }) => items.map(({ json }) => json['row_number']));
  return { output: output.map(({ row_number: row }) => row), rows, suspension, hints };
}

test.each<[JsonObject, number[], number[]]>([
  [{ filtersUI: { values: [{ lookupColumn: 'expected', lookupValue: 5 }] } }, [], [3]],
  [{ filtersUI: { values: [{ lookupColumn: 'expected', lookupValue: 7 }] } }, [], []],
  [{ limitRows: true, maxRows: 1 }, [], [2]],
  [{ limitRows: true, maxRows: 2 }, [2], []],
  [{}, [2, 3], []],
])('with %j, sub-executions evaluate the rows %j, and then this one evaluates the last', async (parameters, rows, own) => {
  expect(await evaluate(parameters)).toMatchObject({ rows, output: own });
});

test('sub-executions start at the trigger, one row each, and the last row follows them', async () => {
  const { suspension } = await evaluate({});
  expect(suspension).toMatchObject({ kind: 'workflows', stopAtFailure: false });
  const start = { node: fakeContext().node.name, destinationNode: 'Rate' };
  const row = (number: number) => ({ workflow, start, items: [{ json: expect.objectContaining({ row_number: number }) }] });
  const kept = { row_number: 4, question: '3 + 3' };
  expect(suspension).toMatchObject({ runs: [row(2), row(3)], kept });
  // The sheet is not read again: it may have changed.
  server.sheets['Cases']?.splice(0);
  const { output, hints } = await evaluate(
    {},
    {
      event: {
        kind: 'workflows',
        kept,
        results: [
          { executionId: '8', status: 'success', items: [] },
          { executionId: '9', status: 'failed', error: { message: 'x' } },
        ],
      },
    },
  );
  expect(output).toEqual([4]);
  expect(hints).toEqual([{ message: '1 of 3 rows failed before the last one: executions 9' }]);
});

test('a run up to the trigger outputs the first row only', async () => {
  const { name } = fakeContext().node;
  const upToTrigger = { current: () => ({ workflow, destinationNode: name }) } as WorkflowAccess;
  expect(await evaluate({}, { workflows: upToTrigger })).toMatchObject({ output: [2], rows: [] });
});

test.each<[JsonObject, string | JsonObject]>([
  [{ name: 'score', value: '0.5' }, { score: 0.5 }],
  [{ name: 'score', value: true }, { score: 1 }],
  [{ name: 'score', value: 'x' }, 'the metric "score" is not a number'],
  [{ name: 'score', value: null }, 'the metric "score" is not a number'],
  [{ name: '', value: 1 }, 'a metric has no name'],
])('the metric %j becomes %j', async (assignment, result) => {
  const parameters = { operation: 'setMetrics', metrics: { assignments: [{ type: 'number', ...assignment }] } };
  const running = runForJson(evaluation, { typeVersion: 4.6, parameters });
  if (typeof result === 'string') await expect(running).rejects.toThrow(result);
  else expect(await running).toEqual([result]);
});
