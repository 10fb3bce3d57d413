import { afterAll, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { aChain, aNode } from '@sluice/test-support';
import { type RunningService, startService } from '../harness.ts';
import { stopIn } from './cleanup.ts';
import { installCommunityPackages } from './community-packages.ts';
import { RecordingServer } from './recording-server.ts';
import { createWorkflow, expectStatus, run } from './runs.ts';
import { aCode, trigger } from './workflows.ts';

export type NodeCredentials = NonNullable<WorkflowNode['credentials']>;

/** The secret in every credential of the tests. */
export const secret = 'sentinel-heron-2907';

/** `PUBLIC_URL` of the service. */
export const publicUrl = 'https://sluice.example';

/**
 * Provides a test file with a service that has loaded the community packages, and a loopback server
 * in place of their remote services. Both are available only while tests run.
 */
export async function communityBench() {
  const packages = await installCommunityPackages();
  const stopAfterAll = stopIn(afterAll);
  let service: RunningService;
  let remote: RecordingServer;

  beforeAll(async () => {
    remote = stopAfterAll(await RecordingServer.start());
    const allow = [...packages.installed, ...packages.lacking].join();
    const settings = {
      SLUICE_NODES_DIR: packages.folder,
      SLUICE_NODES_ALLOW: allow,
      SSRF_ALLOW: '127.0.0.1',
      PUBLIC_URL: publicUrl,
    };
    if (packages.installed.length > 0) service = stopAfterAll(await startService({ settings }));
  });
  beforeEach(() => remote.reset());

  /** Runs the nodes after a trigger and returns the result of the last node. */
  const runChain = async (nodes: WorkflowNode[]) => {
    const workflow = await createWorkflow(service, aChain([trigger, ...nodes]));
    const { status, data } = await run(service, workflow);
    expect(JSON.stringify(data)).not.toContain(secret);
    const attempts = data.resultData.runData[nodes.at(-1)?.name ?? ''];
    const outputs = attempts?.[0].data?.main;
    return { status, outputs, items: outputs?.[0], error: data.resultData.error };
  };

  return {
    installed: packages.installed,
    get service() {
      return service;
    },
    get remote() {
      return remote;
    },

    /**
     * Describes tests of a package, which are skipped with a message if it could not be installed.
     */
    describePackage(name: string, about: string, tests: () => void): void {
      const isInstalled = packages.installed.includes(name);
      if (!isInstalled) process.stderr.write(`SKIPPED: ${name} (${about}): not available from the npm registry\n`);
      (isInstalled ? describe : describe.skip)(`${name}: ${about}`, tests);
    },

    async createCredential(type: string, data: JsonObject): Promise<NodeCredentials> {
      const { id } = expectStatus(await service.call('POST', '/credentials', { name: type, type, data }), 201);
      return { [type]: { id, name: type } };
    },

    async testCredential(type: string, credentials: NodeCredentials): Promise<{ status: string }> {
      const body = { credentials: { id: credentials?.[type]?.id, type } };
      return expectStatus(await service.call('POST', '/credentials/test', body), 200);
    },

    runChain,

    /** Runs the node with the given input items. */
    runNode(node: Partial<WorkflowNode> & Pick<WorkflowNode, 'type'>, items: JsonObject[] = [{}]) {
      const source = aCode('Items', `return ${JSON.stringify(items.map((json) => ({ json })))};`);
      return runChain([source, aNode({ name: 'Node', ...node })]);
    },
  };
}
