import { describe, expect, test } from '@jest/globals';
import type { Item, WorkflowGraph } from '@sluice/domain';
import type { BinaryAccess } from '@sluice/node-sdk';
import { longestBusy } from '@sluice/test-support';
import { storeInlineFiles } from './inline-files.ts';

const reference = { id: 'f1', mimeType: 'text/plain' };
const inline = { data: Buffer.from('hello').toString('base64'), mimeType: 'text/plain', fileName: 'a.txt', fileSize: '5 B' };

function memory() {
  const stored: unknown[] = [];
  const files = {
    async store(content: Uint8Array, description: object) {
      stored.push([Buffer.from(content).toString(), description]);
      return { id: `stored-${stored.length}`, mimeType: 'text/plain' };
    },
  } as unknown as BinaryAccess;
  return { files, stored };
}

function aGraph(items: unknown[]): WorkflowGraph {
  return { name: 'w', nodes: [], connections: {}, settings: {}, pinData: { A: items as Item[] } };
}

describe('storeInlineFiles', () => {
  test('stores the bytes in pinned items as files without changing the graph', async () => {
    const { files, stored } = memory();
    const graph = aGraph([{ json: { n: 1 }, binary: { data: inline, kept: reference } }, { json: { n: 2 } }]);
    const before = structuredClone(graph);
    const run = await storeInlineFiles({ graph, mode: 'manual', start: {} }, files);
    expect(run.graph.pinData?.['A']).toEqual([
      { json: { n: 1 }, binary: { data: { id: 'stored-1', mimeType: 'text/plain' }, kept: reference } },
      { json: { n: 2 } },
    ]);
    expect(stored).toEqual([['hello', { fileName: 'a.txt', mimeType: 'text/plain' }]]);
    expect(graph).toEqual(before);
  });

  test('reuses the files of a node that has run in the next attempt', async () => {
    const { files, stored } = memory();
    const items = [{ json: { n: 1 }, binary: { data: inline } }];
    const storedItems = [{ json: { n: 1 }, binary: { data: reference } }];
    const run = {
      startTime: 0,
      executionTime: 0,
      executionStatus: 'success' as const,
      source: [],
      data: { main: [storedItems] },
    };
    const request = { graph: aGraph(items), mode: 'manual' as const, start: {} };
    const resumed = await storeInlineFiles(request, files, [{ nodeName: 'A', runIndex: 0, run }]);
    expect([resumed.graph.pinData?.['A'], stored]).toEqual([storedItems, []]);
    const cut = { ...run, truncated: true };
    await storeInlineFiles(request, files, [{ nodeName: 'A', runIndex: 0, run: cut }]);
    expect(stored).toHaveLength(1);
  });

  test('reads a million pinned items in time slices', async () => {
    const graph = aGraph(Array.from({ length: 1_000_000 }, (_, n) => ({ json: { n } })));
    let run: { graph: WorkflowGraph } | undefined;
    const busy = await longestBusy(async () => {
      run = await storeInlineFiles({ graph, mode: 'manual', start: {} }, memory().files);
    });
    expect(run?.graph).toBe(graph);
    expect(busy).toBeLessThan(250);
  });

  test('stores the bytes in the node runs of a request as files', async () => {
    const { files } = memory();
    const run = {
      startTime: 0,
      executionTime: 0,
      executionStatus: 'success' as const,
      source: [],
      data: { main: [null, [{ json: {}, binary: { data: inline } } as unknown as Item]] },
    };
    const { start } = await storeInlineFiles({ graph: aGraph([]), mode: 'manual', start: { runData: { A: [run] } } }, files);
    expect(start.runData?.['A']?.[0]?.data?.['main']?.[1]).toEqual([
      { json: {}, binary: { data: { id: 'stored-1', mimeType: 'text/plain' } } },
    ]);
  });

  test.each([['text'], [[1]], [{ data: null, other: 7, more: { id: 5, data: 6 } }]])(
    'ignores values that are not files: %j',
    async (binary) => {
      const { files } = memory();
      const { graph } = await storeInlineFiles({ graph: aGraph([{ json: {}, binary }]), mode: 'manual', start: {} }, files);
      expect(graph.pinData).toEqual({ A: [{ json: {} }] });
    },
  );

  test('returns the same objects if there is nothing to store or the mode does not use pinned data', async () => {
    const { files } = memory();
    const usual = { graph: aGraph([{ json: {}, binary: { data: reference } }]), mode: 'manual' as const, start: {} };
    expect((await storeInlineFiles(usual, files)).graph).toBe(usual.graph);
    const production = { graph: aGraph([{ json: {}, binary: { data: inline } }]), mode: 'webhook' as const, start: {} };
    expect((await storeInlineFiles(production, files)).graph).toBe(production.graph);
  });
});
