import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ApiServer, startServers } from '@sluice/nodes-services/testing';
import { aChain, aNode } from '@sluice/test-support';
import { stopIn } from './support/cleanup.ts';
import { Fleet } from './support/fleet.ts';
import { ProviderProxy } from './support/provider-proxy.ts';
import { createWorkflow, expectStatus } from './support/runs.ts';
import { connected } from './support/services/service-requests.ts';
import { endedExecutionsOf } from './support/started-executions.ts';

const stopAfterAll = stopIn(afterAll);
let servers: ApiServer[];
let fleet: Fleet;

beforeAll(async () => {
  servers = await startServers('google-sheets');
  const proxy = stopAfterAll(await ProviderProxy.start(servers, {}));
  fleet = stopAfterAll(await Fleet.start({ seed: 1, settings: proxy.settings }));
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

test('an evaluation runs an execution for each row, one after the other, also after a failed one', async () => {
  const sheets = {
    Cases: [
      ['question', 'sum'],
      ['1 + 1', ''],
      ['fail', ''],
      ['2 + 2', ''],
    ],
  };
  // Each execution writes the column that the filter reads.
  const filtersUI = { values: [{ lookupColumn: 'sum', lookupValue: '' }] };
  Object.assign(servers[0] as ApiServer, { sheets });
  const credential = { name: 'sheets', type: 'googleSheetsOAuth2Api', data: connected('ya29') };
  const { id: credentialId } = expectStatus(await fleet.service.call('POST', '/credentials', credential), 201);
  const credentials = { googleSheetsOAuth2Api: { id: credentialId, name: 'sheets' } };
  const dataset = {
    documentId: { __rl: true, mode: 'id', value: 'doc1' },
    sheetName: { __rl: true, mode: 'name', value: 'Cases' },
  };
  const sum =
    '={{ $json.question === "fail" ? $("Nowhere").first() : ({ sum: $json.question.split(" + ").reduce((a, b) => Number(a) + Number(b)) }) }}';
  const nodes = [
    aNode({
      name: 'Rows',
      type: 'base.evaluation-trigger',
      typeVersion: 4.6,
      parameters: { ...dataset, filtersUI },
      credentials,
    }),
    aNode({ name: 'Answer', type: 'base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput: sum } }),
    aNode({
      name: 'Save',
      type: 'base.evaluation',
      typeVersion: 4.6,
      parameters: { ...dataset, outputs: { values: [{ outputName: 'sum', outputValue: '={{ $json.sum }}' }] } },
      credentials,
    }),
  ];
  const id = await createWorkflow(fleet.service, aChain(nodes));
  const { executionId } = expectStatus(await fleet.service.call('POST', `/workflows/${id}/run`, { startNodes: ['Rows'] }), 200);
  const executions = await endedExecutionsOf(fleet.databaseUrl, id);
  expect(executions.map((one) => [one.id === executionId, one.status, one.items.map(({ row_number: row }) => row)])).toEqual([
    [true, 'success', []],
    [false, 'success', [2]],
    [false, 'error', [3]],
  ]);
  expect(sheets.Cases).toEqual([
    ['question', 'sum'],
    ['1 + 1', 2],
    ['fail', ''],
    ['2 + 2', 4],
  ]);
});
